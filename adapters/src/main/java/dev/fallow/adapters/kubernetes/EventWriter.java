package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.prune.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Tells on a workload what was done to it, where {@code kubectl describe} shows it. Each action has
 * one event, whose name is the action's, so telling twice is telling once.
 */
public final class EventWriter {

  private static final ResourceKind EVENTS = new ResourceKind("v1", "Event", "events", true);
  private static final int LONGEST_NAME = 180;
  private static final int LONGEST = 1_000;

  private final Writes writes;
  private final KindCatalog catalog;

  public EventWriter(KubernetesConnection connection) {
    this.writes = new Writes(connection.api());
    this.catalog = new KindCatalog(connection.api());
  }

  /**
   * @param reason one word, such as {@code Paused}
   * @return why the event could not be written, empty if it was
   */
  public String write(ObjectId about, String reason, String message, String actionId, Instant at) {
    try {
      Optional<ResourceKind> kind =
          catalog.find(about.group().isEmpty() ? "v1" : about.group() + "/v1", about.kind());
      String apiVersion = kind.map(ResourceKind::apiVersion).orElse(about.group() + "/v1");
      String when = at.truncatedTo(ChronoUnit.SECONDS).toString();
      Map<String, Object> event = new HashMap<>();
      event.put("apiVersion", "v1");
      event.put("kind", "Event");
      event.put(
          "metadata",
          Map.of(
              "name",
              nameOf(about) + "." + actionId + "." + reason.toLowerCase(Locale.ROOT),
              "namespace",
              about.namespace()));
      event.put(
          "involvedObject",
          Map.of(
              "apiVersion", apiVersion,
              "kind", about.kind(),
              "namespace", about.namespace(),
              "name", about.name(),
              "uid", kind.map(of -> uid(of, about)).orElse(about.uid())));
      event.put("type", "Normal");
      event.put("reason", reason);
      event.put("message", shortened(message, LONGEST));
      event.put("firstTimestamp", when);
      event.put("lastTimestamp", when);
      event.put("count", 1);
      event.put("source", Map.of("component", "fallow"));
      event.put("reportingComponent", "fallow.dev/fallow");
      event.put("reportingInstance", "fallow");
      return switch (writes.create(EVENTS, about.namespace(), event)) {
        case Outcome.Done done -> "";
        case Outcome other -> other.sentence();
      };
    } catch (ApiRefusal | Unavailable failed) {
      return String.valueOf(failed.getMessage());
    }
  }

  /** Without it, {@code kubectl describe} does not show the event; a reference has none. */
  private String uid(ResourceKind kind, ObjectId about) {
    return about.uid().isEmpty()
        ? writes
            .read(kind, about.namespace(), about.name())
            .map(found -> ObjectId.of(found).uid())
            .orElse("")
        : about.uid();
  }

  /** What is left of a name has to be a name: no more than the first part of it is needed. */
  private static String nameOf(ObjectId about) {
    String name = about.name();
    return name.length() <= LONGEST_NAME
        ? name
        : name.substring(0, LONGEST_NAME).replaceFirst("[^a-z0-9]+$", "");
  }

  /** The API server counts bytes. */
  private static String shortened(String text, int bytes) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    if (encoded.length <= bytes) {
      return text;
    }
    int end = bytes - 3;
    while (end > 0 && (encoded[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(encoded, 0, end, StandardCharsets.UTF_8) + "…";
  }
}
