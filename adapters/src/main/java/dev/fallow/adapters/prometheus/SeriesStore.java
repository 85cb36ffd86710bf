package dev.fallow.adapters.prometheus;

import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSeries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The series read so far. Each answer is the last word on the range it was asked for: what was held
 * of that range gives way to it, so a sample that came late is found and none counts twice.
 */
final class SeriesStore {

  private record Key(SeriesLabels labels, long fingerprint) {

    /** The fingerprint is one of all labels; the other fields would only say the same again. */
    @Override
    public int hashCode() {
      return Long.hashCode(fingerprint);
    }
  }

  private static final class Held {
    UsageSeries series;
    int answer;

    Held(UsageSeries series, int answer) {
      this.series = series;
      this.answer = answer;
    }
  }

  private final ReadLimits limits;
  private final boolean everyFamily;
  private final StringPool pool;
  private final Map<Key, Held> held = new LinkedHashMap<>();
  private long samples;
  private int answer;
  private SampleRange range = new SampleRange(0, 0);

  /** The samples that were put together last; see {@link Samples.Builder#build(Samples)}. */
  private Samples neighbour = Samples.NONE;

  /** For series that show use; those of other families are passed over. */
  SeriesStore(ReadLimits limits) {
    this(limits, false);
  }

  /**
   * @param everyFamily whether series of any family are taken, with all their labels
   */
  SeriesStore(ReadLimits limits, boolean everyFamily) {
    this.limits = limits;
    this.everyFamily = everyFamily;
    this.pool = new StringPool(limits.labelBytes());
  }

  StringPool pool() {
    return pool;
  }

  /** Says that what comes next answers for this range. */
  void beginAnswer(SampleRange answered) {
    answer++;
    range = answered;
  }

  /** A series of the present answer; one that comes twice in it is one series. */
  void take(String metric, Map<String, String> written, Samples fresh) throws ReplyTooLarge {
    Optional<SeriesLabels> read =
        everyFamily
            ? Optional.of(SeriesLabels.ofAny(metric, written))
            : SeriesLabels.of(metric, written);
    if (read.isEmpty()) {
      return;
    }
    SeriesLabels labels = read.get();
    Key key = new Key(labels, Fingerprints.of(metric, written));
    Held known = held.get(key);
    if (known == null) {
      Map<String, String> all = everyFamily ? Map.copyOf(written) : Map.of();
      held.put(key, new Held(new UsageSeries(labels, fresh, all), answer));
      samples += fresh.size();
    } else {
      Samples old = known.series.samples();
      int keep = known.answer == answer ? old.size() : old.firstAfter(range.after());
      Samples joined = joined(old, 0, keep, fresh);
      samples += joined.size() - old.size();
      known.series = new UsageSeries(known.series.labels(), joined, known.series.all());
      known.answer = answer;
    }
    if (held.size() > limits.series()) {
      throw new ReplyTooLarge("there are more than " + limits.series() + " series");
    }
    if (samples > limits.samples()) {
      throw new ReplyTooLarge("there are more than " + limits.samples() + " samples");
    }
  }

  /**
   * Forgets what is older than each signal needs, and what the last answers no longer showed.
   *
   * @param asked after which everything comes from the answers that were taken since {@code since}
   */
  void trim(ToLongFunction<Signal> oldest, long asked, int since) {
    Iterator<Held> all = held.values().iterator();
    while (all.hasNext()) {
      Held one = all.next();
      Samples old = one.series.samples();
      int from = old.firstAfter(oldest.applyAsLong(one.series.labels().signal()));
      int to = one.answer > since ? old.size() : old.firstAfter(asked);
      if (from == 0 && to == old.size()) {
        continue;
      }
      samples -= old.size() - Math.max(0, to - from);
      if (from >= to) {
        all.remove();
      } else {
        one.series =
            new UsageSeries(
                one.series.labels(), joined(old, from, to, Samples.NONE), one.series.all());
      }
    }
  }

  /** How many answers were taken. */
  int answers() {
    return answer;
  }

  List<UsageSeries> series() {
    List<UsageSeries> all = new ArrayList<>(held.size());
    held.values().forEach(one -> all.add(one.series));
    return all;
  }

  private Samples joined(Samples old, int from, int to, Samples fresh) {
    if (from >= to) {
      return fresh;
    }
    Samples.Builder both = new Samples.Builder(Instant.ofEpochMilli(old.millis(from)));
    for (int i = from; i < to; i++) {
      both.add(old.millis(i), old.value(i));
    }
    for (int i = 0; i < fresh.size(); i++) {
      both.add(fresh.millis(i), fresh.value(i));
    }
    neighbour = both.build(neighbour);
    return neighbour;
  }
}
