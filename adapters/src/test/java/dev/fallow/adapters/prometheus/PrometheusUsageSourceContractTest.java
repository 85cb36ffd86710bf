package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.PublishedSeries;
import dev.fallow.adapters.UsageSourceContract;
import dev.fallow.adapters.prometheus.StubPrometheus.StubReply;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** The contract over HTTP without a Prometheus; {@link PrometheusUsageSourceRigTest} has one. */
class PrometheusUsageSourceContractTest extends UsageSourceContract {

  private StubPrometheus stub;

  @Override
  protected UsageSource sourceOf(List<PublishedSeries> series, Instant at, Duration window) {
    stub = new StubPrometheus(asked -> StubReply.json(RangeSelector.answer(series, asked)));
    return new PrometheusUsageSource(
        PrometheusAccess.of(stub.url()), PrometheusUsageSource.signalsOfUse(false));
  }

  @AfterEach
  void closeStub() {
    stub.close();
  }
}
