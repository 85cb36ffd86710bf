package dev.fallow.server.keda;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.MetricBook;
import dev.fallow.core.autoscale.Selector;
import dev.fallow.core.fleet.ObjectId;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Answers what it is told to, and remembers what it was asked. */
final class AskedBook implements MetricBook {

  static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");

  final List<String> asked = new CopyOnWriteArrayList<>();
  volatile Answer<OfObject> objects = new Answer.NotFound<>("nothing is known");
  volatile Answer<OfSeries> series = new Answer.NotFound<>("nothing is known");

  volatile boolean broken;

  AskedBook number(double value) {
    objects =
        new Answer.Found<>(
            List.of(
                new OfObject(
                    new ObjectId("apps", "Deployment", "ml", "web", "u"),
                    "apps/v1",
                    value,
                    NOW,
                    Duration.ZERO)));
    return this;
  }

  AskedBook away() {
    objects = new Answer.Away<>("Prometheus does not answer");
    return this;
  }

  AskedBook missing(String why) {
    objects = new Answer.NotFound<>(why);
    return this;
  }

  AskedBook series(double... values) {
    series =
        new Answer.Found<>(
            Arrays.stream(values)
                .mapToObj(value -> new OfSeries(Map.of(), value, NOW, Duration.ZERO))
                .toList());
    return this;
  }

  @Override
  public List<Listed> listed() {
    return List.of();
  }

  @Override
  public Answer<OfObject> ofObjects(
      Resource resource, Which which, String metric, Selector ofSamples, Instant now) {
    if (broken) {
      throw new Unavailable("metrics", "the book is closed", true);
    }
    String name = which instanceof Which.Named named ? named.name() : "*";
    asked.add(
        resource.plural()
            + "."
            + resource.group()
            + " "
            + which.namespace()
            + "/"
            + name
            + " "
            + metric
            + " "
            + ofSamples.requirements().size());
    return objects;
  }

  @Override
  public Set<String> externals() {
    return Set.of();
  }

  @Override
  public Answer<OfSeries> external(String namespace, String metric, Selector labels, Instant now) {
    asked.add("external " + namespace + " " + metric + " " + labels.requirements().size());
    return series;
  }
}
