package dev.fallow.app.cases;

import dev.fallow.app.output.Fields;
import dev.fallow.core.exposition.SeriesText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a case folder from a few words. Where nothing is said, things are as they usually are: a
 * node per pod, a card per GPU, an exporter that looks every 30 s at the engine and the utilisation
 * and finds nothing, pods that run and are ready since a day.
 */
public final class CaseBuilder {

  public static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");

  private final String name;
  private Instant at = AT;
  private final Map<String, Object> settings = new LinkedHashMap<>();
  private final List<Map<String, Object>> expected = new ArrayList<>();
  final List<Map<String, Object>> objects = new ArrayList<>();
  private final Map<String, List<String>> samples = new TreeMap<>();
  private int serial;

  public CaseBuilder(String name) {
    this.name = name;
  }

  public String name() {
    return name;
  }

  public Instant at() {
    return at;
  }

  public List<Map<String, Object>> objects() {
    return objects;
  }

  public Map<String, Object> settings() {
    return settings;
  }

  /** Whether samples name pods by their UIDs. */
  public boolean tellsPodUids() {
    return samples.values().stream()
        .flatMap(List::stream)
        .anyMatch(line -> line.contains("pod_uid=") || line.contains("pod_uuid="));
  }

  public CaseBuilder setting(String setting, Object value) {
    settings.put(setting, value);
    return this;
  }

  public CaseBuilder object(Map<String, Object> object) {
    objects.add(object);
    return this;
  }

  public CaseBuilder node(String node, Map<String, String> labels) {
    return object(
        Objects.of("v1", "Node", "", node, uid()).labels(labels).put("status", Map.of()).map());
  }

  public CaseBuilder namespace(String namespace, Map<String, String> annotations) {
    return object(
        Objects.of("v1", "Namespace", "", namespace, uid()).annotations(annotations).map());
  }

  /** Each of verdict, reason and action may be left out by an empty text. */
  public CaseBuilder expect(String workload, String verdict, String reason, String action) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("workload", workload);
    Map.of("verdict", verdict, "reason", reason, "action", action)
        .forEach((field, value) -> {
          if (!value.isEmpty()) {
            line.put(field, value);
          }
        });
    expected.add(line);
    return this;
  }

  public CaseBuilder expectPaused(String workload) {
    return expect(workload, "IDLE", "ALL_GPUS_IDLE", "PAUSE");
  }

  public CaseBuilder expectBusy(String workload) {
    return expect(workload, "BUSY", "", "NONE");
  }

  public CaseBuilder expectUnknown(String workload, String reason) {
    return expect(workload, "UNKNOWN", reason, "NONE");
  }

  public CaseBuilder expectRefused(String workload, String reason) {
    return expect(workload, "IDLE", reason, "NONE");
  }

  String uid() {
    serial++;
    return "00000000-0000-4000-8000-" + String.format("%012d", serial);
  }

  /** A controller under another, or at the top if the owner is null. */
  public Owner owner(String apiVersion, String kind, String namespace, String ownerName, Owner of) {
    Owner owner = new Owner(apiVersion, kind, namespace, ownerName, uid());
    owner.object =
        Objects.of(apiVersion, kind, namespace, ownerName, owner.uid)
            .controlledBy(of)
            .put("spec", new LinkedHashMap<>(Map.of("replicas", 1)));
    objects.add(owner.object.map());
    return owner;
  }

  public Owner deployment(String namespace, String deployment) {
    Owner top = owner("apps/v1", "Deployment", namespace, deployment, null);
    return replicaSet(top, "5d4f");
  }

  public Owner replicaSet(Owner top, String hash) {
    return owner("apps/v1", "ReplicaSet", top.namespace, top.name + "-" + hash, top);
  }

  public Owner statefulSet(String namespace, String statefulSet) {
    return owner("apps/v1", "StatefulSet", namespace, statefulSet, null);
  }

  /** A pod that holds one GPU unless it says otherwise; a null owner makes it a bare one. */
  public PodBuilder pod(Owner owner, String namespace, String podName) {
    return new PodBuilder(this, owner, namespace, podName);
  }

  public PodBuilder pod(Owner owner, String podName) {
    return pod(owner, owner.namespace, podName);
  }

  /** Adds one sample a step to a series, over (at − from, at − to]. */
  public CaseBuilder series(
      String metric,
      Map<String, String> labels,
      Duration from,
      Duration to,
      Duration step,
      Curve curve) {
    for (long ago = from.toMillis() - step.toMillis();
        ago >= to.toMillis();
        ago -= step.toMillis()) {
      Object value = curve.at(Duration.ofMillis(ago));
      if (value != null) {
        sample(metric, labels, at.minusMillis(ago), value);
      }
    }
    return this;
  }

  public CaseBuilder sample(String metric, Map<String, String> labels, Instant when, Object value) {
    String time =
        when.getEpochSecond()
            + (when.getNano() == 0 ? "" : String.format(".%03d", when.getNano() / 1_000_000));
    samples
        .computeIfAbsent(metric, family -> new ArrayList<>())
        .add(new SeriesText(metric, labels) + " " + value + " " + time);
    return this;
  }

  public Path write(Path parent) {
    try {
      Path folder = Files.createDirectories(parent.resolve(name));
      Map<String, Object> head = new LinkedHashMap<>();
      head.put("at", at);
      if (!settings.isEmpty()) {
        head.put("settings", settings);
      }
      if (!expected.isEmpty()) {
        head.put("expect", expected);
      }
      Files.writeString(folder.resolve("case.yaml"), Fields.yaml(head));
      StringBuilder yaml = new StringBuilder();
      objects.forEach(object -> yaml.append("---\n").append(Fields.yaml(object)));
      Files.writeString(folder.resolve("objects.yaml"), yaml);
      StringBuilder text = new StringBuilder();
      samples.forEach((family, lines) -> {
        text.append("# TYPE ").append(family).append(" gauge\n");
        lines.forEach(line -> text.append(line).append('\n'));
      });
      Files.writeString(folder.resolve("samples.om"), text.append("# EOF\n"));
      return folder;
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /** The value of a signal some time ago; null for no sample then. */
  public interface Curve {
    Object at(Duration ago);

    Curve STILL = ago -> 0;

    static Curve of(Object value) {
      return ago -> value;
    }

    /** One value at the look that is this long ago, else nothing happens. */
    static Curve once(Duration when, Object value) {
      return ago -> ago.equals(when) ? value : 0;
    }
  }

  /** A controller, to be named by what it owns. */
  public static final class Owner {
    public final String apiVersion;
    public final String kind;
    public final String namespace;
    public final String name;
    public final String uid;
    Objects object = new Objects();

    Owner(String apiVersion, String kind, String namespace, String name, String uid) {
      this.apiVersion = apiVersion;
      this.kind = kind;
      this.namespace = namespace;
      this.name = name;
      this.uid = uid;
    }

    /** The object as it is written, to be changed. */
    public Objects object() {
      return object;
    }

    /** Something that only claims to be this owner, under another UID. */
    public Owner withUid(String other) {
      return new Owner(apiVersion, kind, namespace, name, other);
    }
  }
}
