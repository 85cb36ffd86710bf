package dev.fallow.systemtests.campaign;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.Json;
import dev.fallow.rig.RigException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The least program that keeps the promises: it believes that whatever it is told of is idle, marks
 * it in one cycle and pauses it in the next. It stands in for the product where the campaign itself
 * is tested, and can be made careless.
 */
final class ToyPruner {
  static final String USER = "toy";
  static final String PATH = "/apis/apps/v1/namespaces/default/deployments";

  private final ApiClient api;
  private final boolean guarded;
  private final Map<String, LedgerRecord> ledger = new ConcurrentHashMap<>();

  /**
   * @param guarded whether it names the revision that it has seen
   */
  ToyPruner(ApiClient api, boolean guarded) {
    this.api = api;
    this.guarded = guarded;
  }

  static String deployment(String name, int replicas) {
    return """
    {"metadata":{"name":"%1$s"},
     "spec":{"replicas":%2$d,"selector":{"matchLabels":{"app":"%1$s"}},
       "template":{"metadata":{"labels":{"app":"%1$s"}},
         "spec":{"containers":[{"name":"main","image":"none"}]}}}}\
    """
        .formatted(name, replicas);
  }

  List<LedgerRecord> ledger() {
    return List.copyOf(ledger.values());
  }

  /** One look at each workload, and one step with it. */
  void cycle(List<String> names) {
    for (String name : names) {
      try {
        step(name, api.get(PATH + "/" + name).json());
      } catch (RigException e) {
        // No answer: whether it has happened shows in the next cycle.
      }
    }
  }

  private void step(String name, Json seen) {
    String paused = Marks.annotation(seen, Marks.ACTION_ID).text();
    long replicas = seen.at("spec", "replicas").number();
    String revision =
        guarded ? "\"resourceVersion\":%s,".formatted(seen.at("metadata", "resourceVersion")) : "";
    if (!paused.isEmpty()) {
      ledger.putIfAbsent(
          paused, new LedgerRecord(paused, "pause", Instant.now(), "Deployment/default/" + name));
      if (replicas > 0) {
        forget(name, revision);
      }
      return;
    }
    if (replicas == 0) {
      return;
    }
    // Not by the generation: that of a Deployment grows with each change of an annotation.
    Json intent = Story.parsed(Marks.annotation(seen, Marks.INTENT).text());
    if (intent.at("id").isMissing() || intent.at("replicas").number() != replicas) {
      String made =
          "{\"id\":\"%s\",\"epoch\":1,\"replicas\":%d}".formatted(UUID.randomUUID(), replicas);
      api.patch(
          PATH + "/" + name,
          "{\"metadata\":{%s\"annotations\":{\"fallow.dev/intent\":%s}}}"
              .formatted(revision, Json.quote(made)));
      return;
    }
    api.patch(
        PATH + "/" + name,
        """
        {"metadata":{%s"annotations":{"fallow.dev/intent":null,"fallow.dev/paused-at":"%s",
          "fallow.dev/paused-by":"toy","fallow.dev/pause-reason":"idle",
          "fallow.dev/action-id":"%s","fallow.dev/before-pause":"{\\"replicas\\":%d}"}},
         "spec":{"replicas":0}}\
        """
            .formatted(revision, Instant.now(), intent.at("id").text(), replicas));
  }

  /** Somebody has brought it back: the marks of the pause have no meaning any more. */
  private void forget(String name, String revision) {
    api.patch(
        PATH + "/" + name,
        """
        {"metadata":{%s"annotations":{"fallow.dev/paused-at":null,"fallow.dev/paused-by":null,
          "fallow.dev/pause-reason":null,"fallow.dev/action-id":null,
          "fallow.dev/before-pause":null}}}\
        """
            .formatted(revision));
  }
}
