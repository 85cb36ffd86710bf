package dev.fallow.core.autoscale;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/**
 * How a metric is spelled. The autoscaler asks for external metrics in lower case, whatever its
 * manifest says; families of exporters are in capitals.
 */
public final class Spelling {

  private Spelling() {}

  /**
   * @param names the families that somebody publishes
   * @return the name as it is spelled there, with its endings; as it was asked for if nobody does
   */
  public static String of(String metric, Collection<String> names) {
    if (!metric.equals(metric.toLowerCase(Locale.ROOT)) || names.contains(metric)) {
      return metric;
    }
    return like(metric, names)
        .or(() ->
            MetricName.ended(metric)
                .flatMap(name ->
                    like(name.base(), names)
                        .map(base -> base + metric.substring(name.base().length()))))
        .orElse(metric);
  }

  private static Optional<String> like(String name, Collection<String> names) {
    return name.equalsIgnoreCase(OldAverage.METRIC)
        ? Optional.of(OldAverage.METRIC)
        : Feed.known(name)
            .or(() -> names.stream().filter(name::equalsIgnoreCase).sorted().findFirst());
  }
}
