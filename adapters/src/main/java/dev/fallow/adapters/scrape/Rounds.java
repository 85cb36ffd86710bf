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

  /** How a target did when it was last tried. */
  private record Tried(boolean answered, long round) {}

  private static final Tried NEVER = new Tried(true, 0);

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
    for (ScrapeTarget target : inOrder(targets)) {
      if (begins(begunUntil)) {
        looks.put(target, threads.submit(() -> lookAt(target)));
      } else {
        now.put(target, new Tried(false, tried.getOrDefault(target, NEVER).round()));
      }
    }
    List<String> problems = new ArrayList<>(earlier);
    now.keySet()
        .forEach(target -> problems.add(target.address() + " had to wait for a later round"));
    looks.forEach((target, look) -> {
      Optional<String> problem = outcome(look);
      problem.ifPresent(sentence -> problems.add(target.address() + " " + sentence));
      now.put(target, new Tried(problem.isEmpty(), round));
    });
    tried = now;
    int answered = (int) now.values().stream().filter(Tried::answered).count();
    return new ScrapeRound(targets.size(), answered, problems);
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

  private Optional<String> lookAt(ScrapeTarget target) {
    try {
      Look look = new Look(clock.millis(), settings.limits().seriesPerTarget());
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
