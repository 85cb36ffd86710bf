package dev.fallow.app.command;

import dev.fallow.app.autoscale.Exporter;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.log.Log;
import dev.fallow.app.settings.Settings;
import dev.fallow.server.health.Health;

/** Tells Prometheus of the GPUs that are in use; alone, since the controller has the same port. */
final class ExporterRole implements Role {

  @Override
  public String name() {
    return "exporter";
  }

  @Override
  public boolean switchedOn(Settings settings) {
    return false;
  }

  @Override
  public AutoCloseable start(Call call, LiveCluster cluster) {
    Exporter exporter = new Exporter(Autoscaling.open(cluster));
    WebAddress.warning(cluster.settings()).ifPresent(Log::warn);
    WebAddress address = WebAddress.of(cluster.settings());
    int port = exporter.start(address.host(), address.port(), new Health());
    Log.info("fallow exports the use of GPUs", "port", port);
    return exporter;
  }
}
