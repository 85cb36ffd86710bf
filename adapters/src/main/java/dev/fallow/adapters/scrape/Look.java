package dev.fallow.adapters.scrape;

import dev.fallow.core.exposition.ExpositionParser;
import dev.fallow.core.exposition.MalformedText;
import dev.fallow.core.idle.Signal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What one answer of an exporter says of use, gathered until it is known to be whole. A sample's
 * time is that of the look, unless the exporter gives one.
 */
final class Look implements ExpositionParser.Sink {

  /** A sample with its series as the exporter writes it. */
  record Seen(String series, long millis, float value) {}

  /** Clocks differ a little; a time further ahead would hide all that comes after it. */
  private static final long AHEAD_MILLIS = 60_000;

  private final long now;
  private final int most;
  private final List<Seen> samples = new ArrayList<>();
  private final Set<String> series = new HashSet<>();

  /**
   * @param most series that it may show
   */
  Look(long now, int most) {
    this.now = now;
    this.most = most;
  }

  @Override
  public void sample(String text, double value, OptionalLong millis) throws MalformedText {
    int brace = text.indexOf('{');
    if (Signal.ofMetric(brace < 0 ? text : text.substring(0, brace)).isEmpty()) {
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

  List<Seen> samples() {
    return samples;
  }
}
