package dev.fallow.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * When a node's exporter looks at its cards: every 30 s, at a phase of its own and a little
 * unevenly, as real ones do.
 *
 * @param loss the share of looks that nobody gets to see
 * @param outageFrom milliseconds into each UTC day at which the exporter goes away
 * @param outageLength for how many milliseconds it stays away; 0 for never
 */
public record Exporter(long seed, double loss, long outageFrom, long outageLength) {

  public static final Duration SPACING = Duration.ofSeconds(30);

  private static final long GAP = SPACING.toMillis();
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long JITTER = 40;

  public static Exporter steady(long seed) {
    return new Exporter(seed, 0, 0, 0);
  }

  /** Loses a third of its looks: enough that nothing it says can prove stillness. */
  public static Exporter lossy(long seed) {
    return new Exporter(seed, 0.35, 0, 0);
  }

  /** Goes away every day at the same time. */
  public static Exporter awayDaily(long seed, Instant from, Duration length) {
    return new Exporter(seed, 0, Math.floorMod(from.toEpochMilli(), DAY), length.toMillis());
  }

  /** The looks in (after, until], in their order. */
  public long[] looks(long after, long until) {
    long first = number(after) - 1;
    long last = number(until) + 1;
    long[] looks = new long[(int) Math.max(0, last - first + 1)];
    int count = 0;
    for (long number = first; number <= last; number++) {
      long look = look(number);
      if (look > after && look <= until && !lost(number, look)) {
        looks[count++] = look;
      }
    }
    return Arrays.copyOf(looks, count);
  }

  /** The newest look at a moment: what a scrape would be given; nothing if that one is lost. */
  public OptionalLong newest(long at) {
    long number = number(at) + 1;
    while (look(number) > at) {
      number--;
    }
    return lost(number, look(number)) ? OptionalLong.empty() : OptionalLong.of(look(number));
  }

  /** Which look of the exporter's life this is; the moment need only be near it. */
  long number(long millis) {
    return Math.floorDiv(millis - phase() + GAP / 2, GAP);
  }

  private long phase() {
    return 500 + Math.floorMod(Dice.roll(seed, 1), GAP - 1000);
  }

  private long look(long number) {
    return number * GAP + phase() + Math.floorMod(Dice.roll(seed, number), 2 * JITTER + 1) - JITTER;
  }

  private boolean lost(long number, long look) {
    boolean away = outageLength > 0 && Math.floorMod(look - outageFrom, DAY) < outageLength;
    return away || (loss > 0 && Dice.unit(~seed, number) < loss);
  }
}
