package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.prometheus.PrometheusTransport.Reply;
import dev.fallow.core.Unavailable;
import dev.fallow.core.idle.Signal;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Asks for the raw samples of signals and puts them into a store. A long range is asked in parts,
 * and in smaller ones where the server says that a part holds more samples than it loads at once.
 */
final class SampleQueries {

  private static final String PATH = "/api/v1/query";
  private static final Duration LONGEST = Duration.ofHours(6);
  private static final Duration SHORTEST = Duration.ofMinutes(5);

  private final PrometheusTransport transport;
  private final ReadLimits limits;
  private final SeriesStore store;
  private long partMillis = LONGEST.toMillis();
  private Optional<String> warning = Optional.empty();

  SampleQueries(PrometheusTransport transport, ReadLimits limits, SeriesStore store) {
    this.transport = transport;
    this.limits = limits;
    this.store = store;
  }

  /** The first warning that came with an answer. */
  Optional<String> warning() {
    return warning;
  }

  /**
   * @throws Unavailable if there is no answer for a part of the range
   */
  void read(Signal signal, SampleRange whole) {
    long from = whole.after();
    while (from < whole.until()) {
      SampleRange range = new SampleRange(from, Math.min(whole.until(), from + partMillis));
      Optional<ReplyProblem> problem = ask(signal, range);
      if (problem.isEmpty()) {
        from = range.until();
      } else if (problem.get().tooManySamples() && range.millis() > SHORTEST.toMillis()) {
        partMillis = (range.millis() + 1) / 2;
      } else {
        throw unavailable(problem.get());
      }
    }
  }

  private Optional<ReplyProblem> ask(Signal signal, SampleRange range) {
    try (Reply reply = transport.post(PATH, form(signal, range))) {
      Optional<ReplyProblem> problem = ReplyProblem.of(reply);
      if (problem.isPresent()) {
        return problem;
      }
      store.beginAnswer(range);
      MatrixAnswer answer =
          new MatrixParser(
                  range, Instant.ofEpochMilli(range.after()), limits, store.pool(), store::take)
              .parse(new BoundedBody(reply.body(), limits.bodyBytes()));
      warning = warning.or(answer::warning);
      return answer.failure().map(SampleQueries::failed);
    } catch (IOException e) {
      return Optional.of(ReplyProblem.of(e));
    }
  }

  private static ReplyProblem failed(String said) {
    return new ReplyProblem(
        "gave no samples: " + Words.abridged(said) + "; check the address, then try again",
        true,
        false);
  }

  private Unavailable unavailable(ReplyProblem problem) {
    return new Unavailable(
        "prometheus",
        "Prometheus at " + transport.address() + " " + problem.sentence(),
        problem.retryable());
  }

  /**
   * VictoriaMetrics without {@code nocache} may hide the latest samples; others do not know the
   * word and pass over it.
   */
  private static String form(Signal signal, SampleRange range) {
    String selector = "{__name__=~\"" + String.join("|", signal.metrics()) + "\"}";
    return "query="
        + URLEncoder.encode(selector + "[" + duration(range.millis()) + "]", StandardCharsets.UTF_8)
        + "&time="
        + String.format(
            Locale.ROOT,
            "%d.%03d",
            Math.floorDiv(range.until(), 1000L),
            Math.floorMod(range.until(), 1000L))
        + "&nocache=1";
  }

  private static String duration(long millis) {
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }
}
