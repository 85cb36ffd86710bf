package dev.fallow.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** When the pods of a workload come and go. */
public sealed interface Life {

  /** When the workload itself was made. */
  Instant born();

  /** The life of the pod in one of the workload's places, if there is one at that moment. */
  Optional<PodLife> at(long millis);

  /** One pod from then on. */
  record Steady(Instant born, Duration warmUp, Optional<PodLife> only) implements Life {
    public Steady(Instant born, Duration warmUp) {
      this(born, warmUp, Optional.of(running(0, born.getEpochSecond() * 1000, warmUp)));
    }

    @Override
    public Optional<PodLife> at(long millis) {
      return millis < born.toEpochMilli() ? Optional.empty() : only;
    }
  }

  /** Stopped and started anew from time to time, each time as another revision. */
  record Redeployed(Instant first, Duration every, Duration warmUp) implements Life {
    @Override
    public Instant born() {
      return first.minus(Duration.ofDays(30));
    }

    @Override
    public Optional<PodLife> at(long millis) {
      int generation = generation(millis, first, every);
      return Optional.of(running(generation, begin(generation, first, every), warmUp));
    }
  }

  /** Runs of a batch; a finished pod stays until the next run. */
  record Runs(Instant first, Duration every, Duration run) implements Life {
    @Override
    public Instant born() {
      return first.minus(Duration.ofDays(30));
    }

    @Override
    public Optional<PodLife> at(long millis) {
      int generation = generation(millis, first, every);
      return Optional.of(finishing(generation, begin(generation, first, every), run));
    }
  }

  /** One run of a batch; the finished pod stays. */
  record Once(Instant born, Duration run) implements Life {
    @Override
    public Optional<PodLife> at(long millis) {
      return millis < born.toEpochMilli()
          ? Optional.empty()
          : Optional.of(finishing(0, born.getEpochSecond() * 1000, run));
    }
  }

  /** Starts, dies, waits and starts again, for ever. */
  record CrashLoop(Instant born, Duration every, Duration alive) implements Life {
    @Override
    public Optional<PodLife> at(long millis) {
      if (millis < born.toEpochMilli()) {
        return Optional.empty();
      }
      long created = born.getEpochSecond() * 1000;
      long firstStart = created + PULL;
      long round = Math.floorDiv(millis - firstStart, every.toMillis());
      if (round < 0) {
        return Optional.of(running(0, created, Duration.ofDays(36500)));
      }
      long started = firstStart + round * every.toMillis();
      long died = started + alive.toMillis();
      return Optional.of(
          new PodLife(
              0,
              0,
              true,
              created,
              started,
              PodLife.NOT_YET,
              PodLife.NOT_YET,
              died <= millis ? died : PodLife.NOT_YET,
              (int) round));
    }
  }

  /** Waits for a node that has room. */
  record Waiting(Instant born) implements Life {
    @Override
    public Optional<PodLife> at(long millis) {
      long never = PodLife.NOT_YET;
      return millis < born.toEpochMilli()
          ? Optional.empty()
          : Optional.of(
              new PodLife(
                  0, 0, false, born.getEpochSecond() * 1000, never, never, never, never, 0));
    }
  }

  /**
   * A life that hands have interrupted: no pods during a pause, new ones after it.
   *
   * @param pauses in the order of their times
   */
  record Interrupted(Life uninterrupted, List<Pause> pauses) implements Life {
    private static final long WARM_UP = 20_000;

    public Interrupted {
      pauses = List.copyOf(pauses);
    }

    @Override
    public Instant born() {
      return uninterrupted.born();
    }

    @Override
    public Optional<PodLife> at(long millis) {
      int latest = latest(millis);
      if (latest < 0) {
        return uninterrupted.at(millis);
      }
      Pause pause = pauses.get(latest);
      return millis < pause.until() ? Optional.empty() : woken(pause, latest + 1);
    }

    @Override
    public Optional<PodLife> pausedAt(long millis) {
      int latest = latest(millis);
      return latest >= 0 && millis < pauses.get(latest).until()
          ? uninterrupted.at(pauses.get(latest).from())
          : Optional.empty();
    }

    /** What still waits for a node waits again. */
    private Optional<PodLife> woken(Pause pause, int incarnation) {
      long created = Math.floorDiv(pause.until(), 1000L) * 1000;
      long never = PodLife.NOT_YET;
      return uninterrupted
          .at(pause.from())
          .map(before ->
              new PodLife(
                  before.generation(),
                  incarnation,
                  before.bound(),
                  created,
                  before.bound() ? created + PULL : never,
                  before.bound() ? created + PULL + WARM_UP : never,
                  never,
                  never,
                  0));
    }

    private int latest(long millis) {
      int latest = pauses.size() - 1;
      while (latest >= 0 && pauses.get(latest).from() > millis) {
        latest--;
      }
      return latest;
    }
  }

  /** From one moment until another, which may not have come yet. */
  record Pause(long from, long until) {}

  /** The life that a pause has ended, while it lasts. */
  default Optional<PodLife> pausedAt(long millis) {
    return Optional.empty();
  }

  /** From the binding of a pod to the start of its container: the image has to be pulled. */
  long PULL = 25_000;

  private static PodLife running(int generation, long created, Duration warmUp) {
    long started = created + PULL;
    long never = PodLife.NOT_YET;
    return new PodLife(
        generation, 0, true, created, started, started + warmUp.toMillis(), never, never, 0);
  }

  private static PodLife finishing(int generation, long created, Duration run) {
    long started = created + PULL;
    return new PodLife(
        generation,
        0,
        true,
        created,
        started,
        started + 1000,
        started + run.toMillis(),
        PodLife.NOT_YET,
        0);
  }

  private static int generation(long millis, Instant first, Duration every) {
    return (int) Math.floorDiv(millis - first.getEpochSecond() * 1000, every.toMillis());
  }

  private static long begin(int generation, Instant first, Duration every) {
    return first.getEpochSecond() * 1000 + generation * every.toMillis();
  }
}
