package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.prometheus.StubPrometheus.StubReply;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Usage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A reply that no Prometheus should give, what it must come to, and words that must be said of it.
 * None of them may throw, hang, or fill the memory; each is a failure that says what happened, a
 * partial answer, or harmless.
 */
record BadReply(
    String name, StubReply reply, Class<? extends Usage> outcome, int series, List<String> says) {

  static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");

  private static final Duration WINDOW = Duration.ofMinutes(30);
  private static final ReadLimits LIMITS =
      new ReadLimits(4 << 20, 1000, 100_000, 50_000, 2_000_000);

  static BadReply missing(String name, StubReply reply, String... says) {
    return new BadReply(name, reply, Usage.Missing.class, 0, List.of(says));
  }

  static BadReply partial(String name, StubReply reply, String... says) {
    return new BadReply(name, reply, Usage.Partial.class, 1, List.of(says));
  }

  static BadReply harmless(String name, StubReply reply, int series) {
    return new BadReply(name, reply, Usage.Complete.class, series, List.of());
  }

  void check() {
    try (StubPrometheus stub = new StubPrometheus(asked -> reply);
        PrometheusUsageSource source =
            new PrometheusUsageSource(
                new HttpTransport(PrometheusAccess.of(stub.url())),
                Set.of(Signal.GPU_UTIL),
                LIMITS)) {
      Usage usage = source.read(AT, WINDOW);

      assertThat(usage).isInstanceOf(outcome);
      assertThat(usage.series()).hasSize(series);
      String said =
          switch (usage) {
            case Usage.Missing missing -> missing.failure();
            case Usage.Partial partial -> partial.warning();
            case Usage.Complete complete -> "";
          };
      assertThat(says).allSatisfy(word -> assertThat(said).contains(word));
      assertThat(said).doesNotContain("\n").hasSizeLessThan(700);
      if (!(usage instanceof Usage.Complete)) {
        assertThat(said).startsWith("Prometheus at " + stub.url() + " ");
      }
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
