package dev.fallow.systemtests.faults;

import static org.awaitility.Awaitility.await;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.RigException;
import java.time.Duration;
import java.util.Map;

/**
 * Whether the cluster's own controllers act. After an outage of the API server each of them looks
 * again in its own time, some of them half a minute late; until then the outage is not over. Each
 * has a small workload here that is switched over, and whose pod has to follow.
 */
final class Pulse {
  private static final String NAMESPACE = "pulse";
  private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";
  private static final String TEMPLATE =
      "\"template\":{\"metadata\":{\"labels\":{\"of\":\"%s\"}},\"spec\":{\"nodeName\":\""
          + Fleet.NODE
          + "\",\"restartPolicy\":\"%s\",\"terminationGracePeriodSeconds\":0,"
          + "\"containers\":[{\"name\":\"main\",\"image\":\"none\"}]}}";

  /** Each by the name of its collection, and the path to it. */
  private static final Map<String, String> WORKLOADS =
      Map.of(
          "deployments", "/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments",
          "statefulsets", "/apis/apps/v1/namespaces/" + NAMESPACE + "/statefulsets",
          "jobs", "/apis/batch/v1/namespaces/" + NAMESPACE + "/jobs");

  private final ApiClient admin;
  private boolean on;

  Pulse(ApiClient admin) {
    this.admin = admin;
    admin.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"pulse\"}}").orThrow();
    WORKLOADS.forEach((of, path) -> admin.post(path, json(of)).orThrow());
  }

  private static String json(String of) {
    String spec =
        of.equals("jobs")
            ? "\"suspend\":true," + TEMPLATE.formatted(of, "Never")
            : "\"replicas\":0,\"selector\":{\"matchLabels\":{\"of\":\""
                + of
                + "\"}},"
                + TEMPLATE.formatted(of, "Always");
    return "{\"metadata\":{\"name\":\"%s\"},\"spec\":{%s}}".formatted(NAMESPACE, spec);
  }

  /** Switches all of them over and waits until their pods have come, or gone. */
  void awaitBeat(Duration limit) {
    on = !on;
    await()
        .atMost(limit)
        .ignoreException(RigException.class)
        .until(() -> {
          WORKLOADS.forEach(
              (of, path) -> admin.patch(path + "/" + NAMESPACE, wanted(of)).orThrow());
          return WORKLOADS.keySet().stream().allMatch(of -> pods(of) == (on ? 1 : 0));
        });
  }

  private String wanted(String of) {
    return of.equals("jobs")
        ? "{\"spec\":{\"suspend\":" + !on + "}}"
        : "{\"spec\":{\"replicas\":" + (on ? 1 : 0) + "}}";
  }

  private int pods(String of) {
    return admin.get(PODS + "?labelSelector=of=" + of).orThrow().json().at("items").items().size();
  }
}
