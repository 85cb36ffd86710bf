package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricBook.Listed;
import dev.fallow.core.autoscale.MetricBook.Resource;
import dev.fallow.core.autoscale.Surroundings.KindName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What discovery shows. Every other name that somebody publishes is answered as well. */
final class Listing {

  private static final int MOST_NAMES = 1000;

  private final Numbers numbers;
  private final Map<Resource, KindName> kinds;
  private final Set<String> families;
  private final Set<String> measures = new LinkedHashSet<>();

  Listing(Numbers numbers, Set<String> names) {
    this.numbers = numbers;
    Surroundings around = numbers.readings().around();
    Set<KindName> present = new LinkedHashSet<>();
    numbers
        .owned()
        .values()
        .forEach(one -> present.add(around.nameOf(one.id().group(), one.id().kind())));
    this.kinds = around.byResource(present);
    this.families = new TreeSet<>(names);
    numbers
        .readings()
        .feeds()
        .values()
        .forEach(seen -> seen.series().forEach(one -> families.add(one.labels().family().name())));
    families.removeIf(family -> !Feed.listed(family));
    for (Measure measure : Measure.values()) {
      boolean fed =
          measure.ways().stream()
              .anyMatch(way -> way.part().names().stream().anyMatch(families::contains));
      if (fed) {
        measures.add(measure.metric());
      }
    }
  }

  /** The kind that a resource's name stands for, among those that own GPU pods. */
  Optional<KindName> kindOf(Resource resource) {
    return Optional.ofNullable(kinds.get(resource));
  }

  List<Listed> custom() {
    List<Listed> all = new ArrayList<>();
    for (String metric : measures) {
      all.add(new Listed(Resource.PODS, true, metric));
      all.add(new Listed(Resource.SERVICES, true, metric));
      all.add(new Listed(Resource.NODES, false, metric));
      all.add(new Listed(Resource.NAMESPACES, false, metric));
      kinds.keySet().forEach(kind -> all.add(new Listed(kind, true, metric)));
    }
    families.stream()
        .limit(MOST_NAMES)
        .forEach(family -> all.add(new Listed(Resource.PODS, true, family)));
    Resource deployments = new Resource("apps", "deployments");
    if (measures.contains(Measure.UTILIZATION.metric())) {
      Set<String> recipes = new TreeSet<>();
      numbers.owned().values().stream()
          .filter(one -> one.id().is("apps", "Deployment"))
          .forEach(one -> recipes.add(MetricName.ofWorkload(one.id().name())));
      recipes.stream()
          .limit(MOST_NAMES)
          .forEach(recipe -> all.add(new Listed(deployments, true, recipe)));
    }
    return all;
  }

  Set<String> external() {
    Set<String> all = new TreeSet<>(measures);
    families.stream().limit(MOST_NAMES).forEach(all::add);
    if (OldAverage.FEED.names().stream().anyMatch(families::contains)) {
      all.add(OldAverage.METRIC);
      all.add(OldAverage.METRIC + "_avg_5m");
    }
    return all;
  }
}
