package dev.fallow.bench;

import dev.fallow.adapters.prometheus.PrometheusTransport;
import dev.fallow.adapters.prometheus.PrometheusUsageSource;
import dev.fallow.adapters.prometheus.ReadLimits;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Usage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** How much heap the evidence of one GPU takes, as it is held after reading it. */
public final class EvidenceFigures {

  private static final BenchFleet FLEET = new BenchFleet(4_000);

  private EvidenceFigures() {}

  public static void main(String... none) {
    used();
    long before = used();
    PrometheusUsageSource source =
        new PrometheusUsageSource(
            new Canned(), PrometheusUsageSource.signalsOfUse(false), ReadLimits.forThisProcess());
    Usage usage = source.read(BenchFleet.AT, Duration.ofMinutes(30));
    long held = used() - before;
    if (!(usage instanceof Usage.Complete complete)) {
      throw new IllegalStateException("the evidence was not read: " + usage);
    }
    long samples = complete.series().stream().mapToLong(series -> series.samples().size()).sum();
    System.out.printf(
        "evidence, %d GPUs: %d series and %d samples a GPU; %.0f bytes a GPU%n",
        FLEET.pods(),
        complete.series().size() / FLEET.pods(),
        samples / FLEET.pods(),
        (double) held / FLEET.pods());
    Reference.reachabilityFence(source);
    Reference.reachabilityFence(usage);
  }

  private static long used() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** Answers as Prometheus would, with the fleet's samples of the one signal asked for. */
  private static final class Canned implements PrometheusTransport {

    @Override
    public String address() {
      return "memory";
    }

    @Override
    public Reply post(String path, String form) {
      String query = URLDecoder.decode(form, StandardCharsets.UTF_8);
      StringBuilder reply = new StringBuilder();
      BenchFleet.SIGNALS.stream()
          .filter(signal -> query.contains("\"" + signal.metrics().getFirst()))
          .findFirst()
          .ifPresentOrElse(signal -> write(signal, reply), () -> reply.append(NOTHING));
      return new Reply(
          200,
          "application/json",
          new ByteArrayInputStream(reply.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static final String NOTHING =
        "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";

    private static void write(Signal signal, StringBuilder reply) {
      try {
        new SampleText(FLEET).reply(signal, reply);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  }
}
