package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.InformerClusterReader;
import dev.fallow.app.autoscale.LiveMetricBook;
import dev.fallow.app.settings.Catalogue;
import java.time.InstantSource;

/** The numbers of a live cluster, for whoever serves them. */
final class Autoscaling {

  private Autoscaling() {}

  /** A book that reads from now on; closed with the cluster. */
  static LiveMetricBook open(LiveCluster cluster) {
    InformerClusterReader reader =
        cluster.closing(InformerClusterReader.goingOn(cluster.connection(), cluster.scope()));
    LiveMetricBook book =
        new LiveMetricBook(
            () -> new LiveMetricBook.Picture(reader.read(), reader.surroundings()),
            cluster.sources().samples(),
            cluster.settings().of(Catalogue.EXPORTER_NAMESPACES),
            InstantSource.system(),
            LiveMetricBook.Pace.USUAL);
    return cluster.closing(book).start();
  }
}
