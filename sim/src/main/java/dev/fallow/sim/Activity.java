package dev.fallow.sim;

import java.time.Duration;
import java.time.Instant;

/**
 * What a workload does with its GPUs over time: the ground truth. A spell of work lasts a minute or
 * more, so that an exporter that looks every 30 s cannot miss it.
 */
public sealed interface Activity {

  /**
   * @param gpu which of the workload's GPUs, counted over its pods
   */
  Work at(int gpu, long millis);

  /** Holds its GPUs and never touches them. */
  record Never() implements Activity {
    @Override
    public Work at(int gpu, long millis) {
      return Work.NOTHING;
    }
  }

  /** Epoch after epoch, with a pause after each to write a checkpoint. */
  record Training(long seed, Duration epoch, Duration checkpoint) implements Activity {
    @Override
    public Work at(int gpu, long millis) {
      long round = epoch.plus(checkpoint).toMillis();
      long offset = Math.floorMod(seed, round);
      return Math.floorMod(millis + offset, round) < epoch.toMillis()
          ? Work.TRAINING
          : Work.NOTHING;
    }
  }

  /** In each stretch of time one spell of work, or by chance none. */
  record Bursts(long seed, Work work, Duration every, double chance, Duration length)
      implements Activity {
    @Override
    public Work at(int gpu, long millis) {
      long stretch = Math.floorDiv(millis, every.toMillis());
      if (Dice.unit(seed, 2 * stretch) >= chance) {
        return Work.NOTHING;
      }
      long spare = every.minus(length).toMillis();
      long begin = (long) (Dice.unit(seed, 2 * stretch + 1) * spare);
      long since = millis - stretch * every.toMillis() - begin;
      return since >= 0 && since < length.toMillis() ? work : Work.NOTHING;
    }
  }

  /**
   * Worked with by people, who come at nine, eat at noon, leave at six and rest at weekends.
   *
   * @param monday the midnight before some Monday, where those people live
   */
  record ByDay(Instant monday, Activity whenThere) implements Activity {
    private static final long HOUR = Duration.ofHours(1).toMillis();

    @Override
    public Work at(int gpu, long millis) {
      long hours = Math.floorDiv(millis - monday.toEpochMilli(), HOUR);
      long hour = Math.floorMod(hours, 24);
      boolean there = hour >= 9 && hour < 18 && hour != 12 && Math.floorMod(hours, 168) < 120;
      return there ? whenThere.at(gpu, millis) : Work.NOTHING;
    }
  }

  /** Uses the first of its GPUs and forgets the others. */
  record FirstGpus(int used, Activity activity) implements Activity {
    @Override
    public Work at(int gpu, long millis) {
      return gpu < used ? activity.at(gpu, millis) : Work.NOTHING;
    }
  }

  /** Goes idle at some moment and stays so. */
  record Until(Instant end, Activity before) implements Activity {
    @Override
    public Work at(int gpu, long millis) {
      return millis < end.toEpochMilli() ? before.at(gpu, millis) : Work.NOTHING;
    }
  }

  /** Comes back to work at some moment. */
  record From(Instant begin, Activity after) implements Activity {
    @Override
    public Work at(int gpu, long millis) {
      return millis >= begin.toEpochMilli() ? after.at(gpu, millis) : Work.NOTHING;
    }
  }

  /** One behaviour, and another beside it: whichever works. */
  record Either(Activity one, Activity other) implements Activity {
    @Override
    public Work at(int gpu, long millis) {
      Work work = one.at(gpu, millis);
      return work.active() ? work : other.at(gpu, millis);
    }
  }
}
