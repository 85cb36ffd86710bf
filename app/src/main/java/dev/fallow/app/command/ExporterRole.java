package dev.fallow.app.command;

import dev.fallow.app.autoscale.Exporter;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.log.Log;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.MetricsSettings;
import dev.fallow.app.settings.MetricsSettings.GpuMetrics;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.Unavailable;
import dev.fallow.server.health.Health;
import dev.fallow.server.metrics.GpuUseMetrics;
import java.util.Optional;

/**
 * Tells Prometheus of the GPUs that are in use. As a role it is alone; where the controller runs,
 * that one's /metrics tells the same.
 */
final class ExporterRole implements Role {

  static final String NAME = "exporter";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public boolean switchedOn(Settings settings) {
    return false;
  }

  @Override
  public AutoCloseable start(Call call, LiveCluster cluster) {
    return open(cluster, new Exporter(cluster.numbers()));
  }

  /** What the controller shows of it. */
  static Optional<GpuUseMetrics> beside(LiveCluster cluster, boolean byDefault) {
    return shows(cluster.settings(), byDefault)
        ? Optional.of(new Exporter(cluster.numbers()).metrics())
        : Optional.empty();
  }

  /** The plain port of a part that has none of its own: at least what was dropped is told there. */
  static AutoCloseable plain(LiveCluster cluster) {
    Exporter exporter =
        shows(cluster.settings(), false)
            ? new Exporter(cluster.numbers())
            : Exporter.ofDrops(cluster.numbers());
    try {
      return open(cluster, exporter);
    } catch (Unavailable taken) {
      return withoutPort(cluster.settings(), taken);
    }
  }

  /** Autoscalers are answered already; only who has named the port is told that it is taken. */
  static AutoCloseable withoutPort(Settings settings, Unavailable taken) {
    if (settings.isWritten(Catalogue.DASHBOARD_PORT)
        || settings.isWritten(Catalogue.METRICS_ADDR)) {
      throw taken;
    }
    Log.warn(
        "there is no /metrics of this part; --dashboard-port chooses another port",
        "because",
        String.valueOf(taken.getMessage()));
    return () -> {};
  }

  private static boolean shows(Settings settings, boolean byDefault) {
    return switch (settings.of(MetricsSettings.GPU_METRICS)) {
      case GpuMetrics.AUTO -> byDefault;
      case GpuMetrics.ON -> true;
      case GpuMetrics.OFF -> false;
    };
  }

  private static AutoCloseable open(LiveCluster cluster, Exporter exporter) {
    WebAddress.warning(cluster.settings()).ifPresent(Log::warn);
    WebAddress address = WebAddress.of(cluster.settings());
    int port = exporter.start(address.host(), address.port(), new Health());
    Log.info("fallow exports the use of GPUs", "port", port);
    return exporter;
  }
}
