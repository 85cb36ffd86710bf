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
    if (!metric.equals(metric.toLowerCase(Locale.ROOT))) {
      return metric;
    }
    Optional<String> ended =
        MetricName.ended(metric)
            .flatMap(name ->
                like(name.base(), names)
                    .map(base -> base + metric.substring(name.base().length())));
    boolean known = MetricName.ended(metric).flatMap(name -> Feed.known(name.base())).isPresent();
    if (known || names.contains(metric)) {
      // An ending of a family that is known here is understood, whoever publishes such a name.
      return known ? ended.orElse(metric) : metric;
    }
    return like(metric, names).or(() -> ended).orElse(metric);
  }

  private static Optional<String> like(String name, Collection<String> names) {
    if (names.contains(name)) {
      return Optional.of(name);
    }
    return name.equalsIgnoreCase(OldAverage.METRIC)
        ? Optional.of(OldAverage.METRIC)
        : Feed.known(name)
            .or(() -> names.stream().filter(name::equalsIgnoreCase).sorted().findFirst());
  }
}
