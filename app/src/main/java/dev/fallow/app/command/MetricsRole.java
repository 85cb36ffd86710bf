package dev.fallow.app.command;

import dev.fallow.app.WrongUse;
import dev.fallow.app.autoscale.LiveMetricBook;
import dev.fallow.app.autoscale.MetricsPlan;
import dev.fallow.app.autoscale.MetricsServer;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.settings.MetricsSettings;
import dev.fallow.app.settings.MetricsSettings.MetricsApis;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.autoscale.ApiRegistration.Owner;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.server.metricsapi.MetricsGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Answers autoscalers. */
final class MetricsRole implements Role {

  private static final String SERVICE = "fallow-metrics";
  private static final int HTTPS = 443;

  @Override
  public String name() {
    return "metrics";
  }

  @Override
  public boolean switchedOn(Settings settings) {
    return !settings.of(MetricsSettings.METRICS_APIS).isEmpty()
        || settings.of(MetricsSettings.KEDA_PORT) > 0;
  }

  @Override
  public AutoCloseable start(Call call, LiveCluster cluster) {
    Optional<KedaPort> keda = KedaPort.of(cluster.settings());
    if (keda.isPresent() && cluster.settings().of(MetricsSettings.METRICS_APIS).isEmpty()) {
      return keda.get().open(cluster.numbers());
    }
    MetricsPlan plan = plan(cluster);
    LiveMetricBook book = cluster.numbers();
    keda.ifPresent(port -> cluster.closing(port.open(book)));
    return MetricsServer.start(cluster.forChanges(), plan, book);
  }

  static MetricsPlan plan(LiveCluster cluster) {
    Settings settings = cluster.settings();
    Set<MetricsGroup> groups =
        settings.of(MetricsSettings.METRICS_APIS).stream()
            .map(MetricsRole::group)
            .collect(Collectors.toSet());
    if (groups.isEmpty()) {
      throw new WrongUse(
          "--metrics-apis: has to name custom, external or both, where there is no --keda-port");
    }
    refuseForeignPlace(settings, cluster);
    return new MetricsPlan(
        groups,
        service(settings, cluster),
        "0.0.0.0",
        settings.of(MetricsSettings.METRICS_PORT),
        settings.of(MetricsSettings.TAKE_OVER_METRICS_APIS),
        former(settings),
        MetricsPlan.USUAL_PACE);
  }

  /** Outside the cluster no Service leads here, and an APIService without one breaks discovery. */
  private static void refuseForeignPlace(Settings settings, LiveCluster cluster) {
    if (settings.of(MetricsSettings.METRICS_SERVICE).isEmpty() && !cluster.connection().isOfPod()) {
      throw new WrongUse(
          "--metrics-apis: this is no pod of the cluster, so the API server would be sent to a"
              + " Service that does not lead here; install it with: kubectl apply -k"
              + " deploy/metrics; or name a Service that leads here with --metrics-service");
    }
  }

  private static MetricsGroup group(MetricsApis api) {
    return switch (api) {
      case CUSTOM -> MetricsGroup.CUSTOM;
      case EXTERNAL -> MetricsGroup.EXTERNAL;
    };
  }

  static Place service(Settings settings, LiveCluster cluster) {
    return settings
        .of(MetricsSettings.METRICS_SERVICE)
        .orElseGet(() -> new Place(cluster.connection().namespace(), SERVICE, HTTPS));
  }

  private static Optional<Owner> former(Settings settings) {
    Optional<Place> place = settings.of(MetricsSettings.FORMER_METRICS_SERVICE);
    String file = settings.of(MetricsSettings.FORMER_METRICS_CA_FILE);
    if (place.isPresent() && file.isEmpty()) {
      throw new WrongUse(
          "--former-metrics-service: wants --former-metrics-ca-file, by which that Service is"
              + " known");
    }
    return place.map(where -> new Owner(where, read(file), false));
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException unreadable) {
      throw new WrongUse("--former-metrics-ca-file: " + file + " cannot be read");
    }
  }
}
