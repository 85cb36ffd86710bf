package dev.fallow.server.metricsapi;

import dev.fallow.core.autoscale.MetricBook;
import dev.fallow.core.autoscale.Selector;
import dev.fallow.core.fleet.ObjectId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Answers what it is told to, and remembers what it was asked. */
final class MadeUpBook implements MetricBook {

  static final Instant TAKEN = Instant.parse("2026-11-16T09:59:58.700Z");

  final List<String> asked = new ArrayList<>();
  Answer<OfObject> objects = new Answer.NotFound<>("nothing is known");
  Answer<OfSeries> series = new Answer.NotFound<>("nothing is known");

  static OfObject pod(String name, double value) {
    return new OfObject(
        new ObjectId("", "Pod", "ml", name, "u"), "v1", value, TAKEN, Duration.ofSeconds(60));
  }

  static OfSeries line(double value) {
    return new OfSeries(Map.of("b", "2", "a", "1"), value, TAKEN, Duration.ZERO);
  }

  @Override
  public List<Listed> listed() {
    return List.of(
        new Listed(Resource.PODS, true, "gpu_utilization"),
        new Listed(new Resource("apps", "deployments"), true, "cuda_test_gpu_avg"),
        new Listed(Resource.NAMESPACES, false, "gpu_utilization"));
  }

  @Override
  public Answer<OfObject> ofObjects(
      Resource resource, Which which, String metric, Selector ofSamples, Instant now) {
    asked.add(resource + " " + which + " " + metric + " " + ofSamples.requirements().size());
    return objects;
  }

  @Override
  public Set<String> externals() {
    return Set.of("zebra", "avg_GPU_utilization");
  }

  @Override
  public Answer<OfSeries> external(String namespace, String metric, Selector labels, Instant now) {
    asked.add(namespace + " " + metric + " " + labels.requirements().size());
    return series;
  }
}
