package dev.fallow.app.autoscale;

import dev.fallow.core.autoscale.ApiRegistration.Owner;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.server.metricsapi.MetricsGroup;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is served to autoscalers, and where.
 *
 * @param service by which the API server reaches us
 * @param takesOver whether an API that somebody else answers for is taken from them
 * @param former whom to ask for names we do not know, where nobody is on record
 * @param pace how often certificates, trust and registrations are looked after
 */
public record MetricsPlan(
    Set<MetricsGroup> groups,
    Place service,
    String host,
    int port,
    boolean takesOver,
    Optional<Owner> former,
    Duration pace) {

  public static final Duration USUAL_PACE = Duration.ofSeconds(15);

  /** Holds the serving certificate, beside the Service. */
  static final String SECRET = "fallow-metrics-tls";

  /** As whom former owners are asked: it may read metrics and nothing else. */
  static final String PASSING_ACCOUNT = "fallow-metrics-passing";

  public MetricsPlan {
    groups = Set.copyOf(groups);
  }

  /** The names that the certificate bears. */
  List<String> hosts() {
    return List.of(service.host(), service.host() + ".cluster.local");
  }
}
