package dev.fallow.adapters.scrape;

import dev.fallow.core.exposition.ExpositionParser;
import dev.fallow.core.exposition.MalformedText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What one answer of an exporter says of what is wanted, gathered until it is known to be whole. A
 * sample's time is that of the look, unless the exporter gives one.
 */
final class Look implements ExpositionParser.Sink {

  /** A sample with its series as the exporter writes it. */
  record Seen(String series, long millis, float value) {}

  /** Clocks differ a little; a time further ahead would hide all that comes after it. */
  private static final long AHEAD_MILLIS = 60_000;

  /** Names that one answer may teach. */
  private static final int MOST_NAMES = 5000;

  private final long now;
  private final int most;
  private final Predicate<String> wanted;
  private final Set<String> names = new HashSet<>();
  private final List<Seen> samples = new ArrayList<>();
  private final Set<String> series = new HashSet<>();

  /**
   * @param most series that it may show
   * @param wanted the families that are taken
   */
  Look(long now, int most, Predicate<String> wanted) {
    this.now = now;
    this.most = most;
    this.wanted = wanted;
  }

  @Override
  public void sample(String text, double value, OptionalLong millis) throws MalformedText {
    int brace = text.indexOf('{');
    String name = brace < 0 ? text : text.substring(0, brace);
    if (names.size() < MOST_NAMES) {
      names.add(name);
    }
    if (!wanted.test(name)) {
      return;
    }
    if (!series.add(text)) {
      throw new MalformedText("a series is there twice");
    }
    if (series.size() > most) {
      throw new MalformedText("there are more than " + most + " series");
    }
    long time = millis.orElse(now);
    if (time > now + AHEAD_MILLIS) {
      throw new MalformedText("a sample's time is in the future; check the clocks");
    }
    samples.add(new Seen(text, time, (float) value));
  }

  /** Every family that it showed, taken or not. */
  Set<String> names() {
    return names;
  }

  List<Seen> samples() {
    return samples;
  }
}
