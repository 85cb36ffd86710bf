package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.prometheus.PrometheusTransport.Reply;
import dev.fallow.core.Unavailable;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * Asks for the raw samples of metrics and puts them into a store. A long range is asked in parts,
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

  /** Samples under some names that are wanted, or one query's part of them. */
  record Wanted(List<String> metrics, SampleRange range) {}

  /** A query on its way. */
  private record Sent(Wanted wanted, CompletableFuture<Reply> reply, Thread asking) {

    /** Nobody reads the reply any more, whether it is there or still comes. */
    void drop() {
      if (reply.cancel(false)) {
        asking.interrupt();
      } else if (reply.state() == Future.State.SUCCESS) {
        reply.resultNow().close();
      }
    }
  }

  /**
   * Reads them in this order. While an answer is read the next query is already on its way, so that
   * the server works at the same time.
   *
   * @throws Unavailable if there is no answer for a part of a range
   */
  void read(List<Wanted> all) {
    Deque<Wanted> open = new ArrayDeque<>(all);
    Optional<Sent> next = sendFirst(open);
    try {
      while (next.isPresent()) {
        Sent sent = next.get();
        try (Reply reply = received(sent)) {
          next = sendFirst(open);
          Optional<ReplyProblem> problem = take(sent.wanted(), reply);
          if (problem.isPresent()) {
            smaller(sent.wanted(), problem.get());
            // The store wants the answers for a signal in the order of their times.
            next.ifPresent(later -> open.addFirst(later.wanted()));
            open.addFirst(sent.wanted());
            next.ifPresent(Sent::drop);
            next = sendFirst(open);
          }
        }
      }
    } finally {
      next.ifPresent(Sent::drop);
    }
  }

  /** Sends the first of what is open, or as much of it as one query asks for. */
  private Optional<Sent> sendFirst(Deque<Wanted> open) {
    while (!open.isEmpty()) {
      Wanted whole = open.removeFirst();
      long from = whole.range().after();
      long until = Math.min(whole.range().until(), from + partMillis);
      if (until < whole.range().until()) {
        open.addFirst(new Wanted(whole.metrics(), new SampleRange(until, whole.range().until())));
      }
      if (from < until) {
        Wanted part = new Wanted(whole.metrics(), new SampleRange(from, until));
        return Optional.of(send(part));
      }
    }
    return Optional.empty();
  }

  private Sent send(Wanted part) {
    CompletableFuture<Reply> promise = new CompletableFuture<>();
    Runnable asking =
        () -> {
          try {
            Reply reply = transport.post(PATH, form(part.metrics(), part.range()));
            if (!promise.complete(reply)) {
              reply.close();
            }
          } catch (RuntimeException | Error failed) {
            promise.completeExceptionally(failed);
          }
        };
    return new Sent(part, promise, Thread.ofVirtual().name("query").start(asking));
  }

  private Reply received(Sent sent) {
    try {
      return sent.reply().get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw unavailable(new ReplyProblem("was not waited for: the program is ending", true, false));
    }
  }

  private void smaller(Wanted asked, ReplyProblem problem) {
    long millis = asked.range().millis();
    if (!problem.tooManySamples() || millis <= SHORTEST.toMillis()) {
      throw unavailable(problem);
    }
    partMillis = (millis + 1) / 2;
  }

  private Optional<ReplyProblem> take(Wanted asked, Reply reply) {
    try {
      Optional<ReplyProblem> problem = ReplyProblem.of(reply);
      if (problem.isPresent()) {
        return problem;
      }
      SampleRange range = asked.range();
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
  private static String form(List<String> metrics, SampleRange range) {
    String selector = "{__name__=~\"" + String.join("|", metrics) + "\"}";
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
