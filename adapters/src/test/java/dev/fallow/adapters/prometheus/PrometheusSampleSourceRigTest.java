package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.OpenMetricsText;
import dev.fallow.adapters.PublishedSeries;
import dev.fallow.adapters.SampleSourceContract;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.rig.RigPrometheus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract on a real Prometheus. */
@Tag("rig")
class PrometheusSampleSourceRigTest extends SampleSourceContract {

  @TempDir Path folder;

  private RigPrometheus prometheus;

  @Override
  protected SampleSource sourceOf(List<PublishedSeries> series) throws Exception {
    Path samples = folder.resolve("samples.om");
    prometheus =
        RigPrometheus.builder()
            .backfill(Files.writeString(samples, OpenMetricsText.of(series)))
            .start();
    return new PrometheusSampleSource(PrometheusAccess.of(prometheus.url().toString()));
  }

  @AfterEach
  void stopPrometheus() {
    prometheus.close();
  }
}
