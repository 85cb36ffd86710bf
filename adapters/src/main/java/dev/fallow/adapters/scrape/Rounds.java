package dev.fallow.adapters.scrape;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Looks at many exporters at once, some at a time, and is done before the next round is due. Those
 * that answered last time come first, so that a hundred dead ones cannot cost the living their
 * samples; the dead take turns.
 */
final class Rounds implements AutoCloseable {

  /** How a target did when it was last tried, and the time that look was given. */
  private record Tried(boolean answered, long round, long millis) {}

  private static final Tried NEVER = new Tried(true, 0, 0);

  private final ExporterClient client;
  private final ScrapeMemory memory;
  private final ScrapeSettings settings;
  private final InstantSource clock;
  private final Semaphore permits;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private Map<ScrapeTarget, Tried> tried = Map.of();
  private long round;

  Rounds(ExporterClient client, ScrapeMemory memory, ScrapeSettings settings, InstantSource clock) {
    this.client = client;
    this.memory = memory;
    this.settings = settings;
    this.clock = clock;
    this.permits = new Semaphore(settings.limits().concurrency(), true);
  }

  /**
   * @param earlier problems of this round that were there before it began
   */
  ScrapeRound look(List<ScrapeTarget> targets, List<String> earlier) {
    round++;
    long begunUntil = System.nanoTime() + settings.patience().toNanos();
    Map<ScrapeTarget, Future<Optional<String>>> looks = new HashMap<>();
    Map<ScrapeTarget, Tried> now = new HashMap<>();
    List<String> problems = new ArrayList<>(earlier);
    for (ScrapeTarget target : inOrder(targets)) {
      Tried before = tried.getOrDefault(target, NEVER);
      if (begins(begunUntil)) {
        // A clock may go back a little; what is seen then still comes after what was seen before.
        long millis = Math.max(clock.millis(), before.millis() + 1);
        looks.put(target, threads.submit(() -> lookAt(target, millis)));
        now.put(target, new Tried(false, round, millis));
      } else {
        now.put(target, new Tried(false, before.round(), before.millis()));
        problems.add(target.address() + " had to wait for a later round");
      }
    }
    int answered = 0;
    for (Map.Entry<ScrapeTarget, Future<Optional<String>>> look : looks.entrySet()) {
      ScrapeTarget target = look.getKey();
      Optional<String> problem = outcome(look.getValue());
      if (problem.isPresent()) {
        problems.add(target.address() + " " + problem.get());
      } else {
        answered++;
        now.computeIfPresent(target, (key, one) -> new Tried(true, one.round(), one.millis()));
      }
    }
    tried = now;
    return new ScrapeRound(targets.size(), answered, problems);
  }

  /** Forgets how targets did, and when. */
  void forget() {
    tried = Map.of();
  }

  private List<ScrapeTarget> inOrder(List<ScrapeTarget> targets) {
    List<ScrapeTarget> ordered = new ArrayList<>(targets);
    // Sorting keeps equals as they are: a fixed order would always leave out the same.
    Collections.rotate(ordered, targets.isEmpty() ? 0 : (int) (round % targets.size()));
    ordered.sort(
        Comparator.comparing((ScrapeTarget target) -> !tried.getOrDefault(target, NEVER).answered())
            .thenComparingLong(target -> tried.getOrDefault(target, NEVER).round()));
    return ordered;
  }

  private boolean begins(long until) {
    try {
      return permits.tryAcquire(until - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private Optional<String> lookAt(ScrapeTarget target, long millis) {
    try {
      Look look = new Look(millis, settings.limits().seriesPerTarget(), memory::wants);
      client.ask(target, look);
      memory.take(target, look);
      return Optional.empty();
    } catch (ScrapeFailure failure) {
      return Optional.of(failure.sentence());
    } finally {
      permits.release();
    }
  }

  private static Optional<String> outcome(Future<Optional<String>> look) {
    try {
      return look.get();
    } catch (ExecutionException defect) {
      return Optional.of("could not be read: " + defect.getCause());
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return Optional.of("was not waited for: the program is ending");
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
