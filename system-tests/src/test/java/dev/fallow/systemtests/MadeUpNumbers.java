package dev.fallow.systemtests;

import dev.fallow.core.autoscale.MetricBook;
import dev.fallow.core.autoscale.Selector;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Numbers without GPUs: each workload has a load, which its pods share. Pods are found by their
 * label {@code app}, which is also the name of their Deployment.
 */
final class MadeUpNumbers implements MetricBook {

  private final Rig rig;
  private final Set<String> metrics;

  /** By the workload's name, or for external numbers the metric's. */
  final Map<String, Double> loads = new ConcurrentHashMap<>();

  volatile boolean away;

  MadeUpNumbers(Rig rig, Set<String> metrics) {
    this.rig = rig;
    this.metrics = metrics;
  }

  @Override
  public List<Listed> listed() {
    return metrics.stream().map(one -> new Listed(Resource.PODS, true, one)).toList();
  }

  @Override
  public Set<String> externals() {
    return metrics;
  }

  @Override
  public Answer<OfObject> ofObjects(
      Resource resource, Which which, String metric, Selector ofSamples, Instant now) {
    if (away) {
      return new Answer.Away<>("the source is away");
    }
    if (!metrics.contains(metric)) {
      return new Answer.NotFound<>("there is no " + metric);
    }
    List<OfObject> found =
        switch (which) {
          case Which.Labelled(String namespace, Selector labels) ->
              pods(namespace).stream()
                  .filter(pod -> labels.matches(labelsOf(pod)) && loads.containsKey(app(pod)))
                  .map(pod ->
                      value("Pod", "v1", namespace, name(pod), share(namespace, app(pod)), now))
                  .toList();
          case Which.Named(String namespace, String name) ->
              loads.containsKey(name)
                  ? List.of(
                      value("Deployment", "apps/v1", namespace, name, share(namespace, name), now))
                  : List.of();
        };
    return found.isEmpty()
        ? new Answer.NotFound<>("nothing is measured")
        : new Answer.Found<>(found);
  }

  @Override
  public Answer<OfSeries> external(String namespace, String metric, Selector labels, Instant now) {
    if (away) {
      return new Answer.Away<>("the source is away");
    }
    Double load = metrics.contains(metric) ? loads.get(metric) : null;
    return load == null
        ? new Answer.NotFound<>("there is no " + metric)
        : new Answer.Found<>(List.of(new OfSeries(Map.of(), load, now, Duration.ZERO)));
  }

  private double share(String namespace, String app) {
    long pods = pods(namespace).stream().filter(pod -> app(pod).equals(app)).count();
    return loads.getOrDefault(app, 0.0) / Math.max(1, pods);
  }

  private List<Json> pods(String namespace) {
    return rig
        .admin()
        .get("/api/v1/namespaces/" + namespace + "/pods")
        .orThrow()
        .json()
        .at("items")
        .items()
        .stream()
        .filter(pod -> pod.at("status", "phase").text().equals("Running"))
        .filter(pod -> pod.at("metadata", "deletionTimestamp").isMissing())
        .toList();
  }

  private static String name(Json pod) {
    return pod.at("metadata", "name").text();
  }

  private static String app(Json pod) {
    return labelsOf(pod).getOrDefault("app", "");
  }

  private static Map<String, String> labelsOf(Json pod) {
    Json app = pod.at("metadata", "labels", "app");
    return app.isMissing() ? Map.of() : Map.of("app", app.text());
  }

  private static OfObject value(
      String kind, String apiVersion, String namespace, String name, double value, Instant now) {
    return new OfObject(
        new ObjectId(ObjectId.groupOf(apiVersion), kind, namespace, name, ""),
        apiVersion,
        value,
        now,
        Duration.ofSeconds(30));
  }
}
