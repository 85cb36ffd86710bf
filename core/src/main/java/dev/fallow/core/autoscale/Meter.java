package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.Measure.Way;
import dev.fallow.core.autoscale.Question.Subject;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.idle.Device;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels.Partition;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSeries;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Reads one thing off a device. */
final class Meter {

  /**
   * A line, and the moment up to which its source was read.
   *
   * @param from the family that it was measured by
   */
  record Read(Line line, Instant upTo, String from) {

    static final Read NOTHING = new Read(Line.NONE, Instant.EPOCH, "");

    boolean fresh() {
      return line.freshAt(upTo);
    }

    Optional<Reading> over(MetricName.Over over) {
      return line.over(over, upTo);
    }

    Read after(long moment) {
      return new Read(line.after(moment), upTo, from);
    }
  }

  private static final String ASIDE = "exported_";

  private final Question question;
  private final Map<Feed, Readings.Seen> feeds;
  private final KnownFeeds known;

  /**
   * @param known by what devices have been measured of late
   */
  Meter(Question question, Map<Feed, Readings.Seen> feeds, KnownFeeds known) {
    this.question = question;
    this.feeds = feeds;
    this.known = known;
  }

  /**
   * The device's own value, whoever uses it.
   *
   * @param device with the series that are believed alone
   */
  Read read(Device device) {
    return read(device, claim -> true, way -> true);
  }

  /** What one pod's processes do to a device, by what is measured per process alone. */
  Read ofProcesses(Device device, GpuPod pod) {
    return read(
        device, claim -> claim.names(pod), way -> Question.PER_PROCESS.contains(way.part()));
  }

  /** Whether what is asked for is measured per process on such a device. */
  boolean isPerProcess(Device device) {
    return question.isPerProcess()
        && switch (question.subject()) {
          case Subject.OfFamily of -> true;
          case Subject.OfMeasure of ->
              of.measure().ways().stream()
                  .anyMatch(way -> fits(way, device) && Question.PER_PROCESS.contains(way.part()));
        };
  }

  private static boolean fits(Way way, Device device) {
    return !way.ofCardsOnly() || !isPartOfACard(device);
  }

  private Read read(Device device, Predicate<Device.Claim> which, Predicate<Way> ways) {
    return switch (question.subject()) {
      case Subject.OfFamily of ->
          isOfCardsOnly(of.family()) && isPartOfACard(device)
              ? Read.NOTHING
              : line(device, of.feed(), which.and(claim -> nameOf(claim).equals(of.family())), 1);
      case Subject.OfMeasure of -> best(device, of.measure(), which, ways);
    };
  }

  private static boolean isOfCardsOnly(String family) {
    return Signal.ofMetric(family).filter(Signal::ofCardsOnly).isPresent();
  }

  private static boolean isPartOfACard(Device device) {
    return device.id().mig() || device.partition() != Partition.NONE;
  }

  /**
   * Whether the labels choose a device: by any of its series, also of other families, so that one
   * that is chosen and not measured is missed.
   *
   * @param after since when its series speak for whoever holds it now
   */
  boolean isAskedFor(Device device, long after) {
    return question.labels().requirements().isEmpty()
        || device.claims().stream()
            .map(Device.Claim::series)
            .anyMatch(series ->
                series.samples().firstAfter(after) < series.samples().size()
                    && question.labels().matches(ofWorkload(series)));
  }

  /** Whether all that there is of a feed was read. Unread is not empty. */
  boolean isWhole(Feed feed) {
    Readings.Seen seen = feeds.get(feed);
    return seen != null && seen.whole();
  }

  /** Whether it shows by what was read who uses a shared device, or that nobody can tell. */
  boolean showsSharing(Device device) {
    Feed perProcess = Feed.of(Signal.GPU_UTIL);
    return isWhole(perProcess)
        || (feeds.containsKey(perProcess)
            && device.claims().stream().anyMatch(one -> perProcess.names().contains(nameOf(one))));
  }

  /**
   * The first way that the device is measured by, fresh or not. Past a way that has gone stale, was
   * there of late or could not be read none is tried: it would be another signal than a moment ago.
   */
  private Read best(
      Device device, Measure measure, Predicate<Device.Claim> which, Predicate<Way> ways) {
    for (Way way : measure.ways()) {
      if (!fits(way, device) || !ways.test(way)) {
        continue;
      }
      Read read =
          way.signal().isPresent()
              ? line(device, way.part(), which, way.scale())
              : share(device, way, which);
      if (!read.line().isEmpty()
          || known.has(device, way.part())
          || !way.feeds().stream().allMatch(this::isWhole)) {
        return read;
      }
    }
    return Read.NOTHING;
  }

  /** A part of the memory; where the whole is not known now, neither is the share. */
  private Read share(Device device, Way way, Predicate<Device.Claim> which) {
    Read part = line(device, way.part(), which, 1);
    if (part.line().isEmpty()) {
      return Read.NOTHING;
    }
    double whole;
    if (way.whole().isPresent()) {
      Read told = line(device, way.whole().get(), claim -> true, 1);
      whole = told.fresh() ? told.line().newestValue() : 0;
    } else {
      // The card's own use, whoever's part is asked for.
      double used = line(device, way.part(), claim -> true, 1).line().newestValue();
      Read free = line(device, way.rest().getFirst(), claim -> true, 1);
      Read reserved = line(device, way.rest().getLast(), claim -> true, 1);
      boolean known = reserved.fresh() || isWhole(way.rest().getLast());
      whole =
          free.fresh() && known
              ? used
                  + free.line().newestValue()
                  + (reserved.fresh() ? reserved.line().newestValue() : 0)
              : 0;
    }
    return whole <= 0
        ? Read.NOTHING
        : new Read(part.line().dividedBy(whole, way.scale()), part.upTo(), part.from());
  }

  private Read line(Device device, Feed feed, Predicate<Device.Claim> which, double scale) {
    Readings.Seen seen = feeds.get(feed);
    if (seen == null) {
      return Read.NOTHING;
    }
    List<UsageSeries> series =
        device.claims().stream()
            .filter(claim -> feed.names().contains(nameOf(claim)))
            .filter(claim -> question.labels().matches(ofWorkload(claim.series())))
            .filter(which)
            .map(Device.Claim::series)
            .filter(Meter::isMeasured)
            .toList();
    return new Read(Line.of(feed, series, scale), seen.at(), feed.name());
  }

  /**
   * For the later parts of an AMD card its exporter measures no activity, and may write zeros
   * instead. One that was ever above 0 has measured it.
   */
  private static boolean isMeasured(UsageSeries series) {
    if (series.labels().partition() != Partition.LATER) {
      return true;
    }
    return series
        .labels()
        .family()
        .signal()
        .filter(Signal::amd)
        .map(activity -> showsAny(activity, series.samples()))
        .orElse(true);
  }

  private static boolean showsAny(Signal activity, Samples samples) {
    return IntStream.range(0, samples.size())
        .mapToDouble(samples::value)
        .anyMatch(value -> value > 0 && activity.possible(value));
  }

  /** The lines of one pod that tells of itself, one for each set of labels. */
  Read ofPod(List<UsageSeries> series, Feed feed) {
    return Optional.ofNullable(feeds.get(feed))
        .map(seen -> new Read(Line.of(feed, series, 1), seen.at(), feed.name()))
        .orElse(Read.NOTHING);
  }

  /** The labels as the exporter gave them, before Prometheus moved some aside. */
  static Map<String, String> ofWorkload(UsageSeries series) {
    Map<String, String> all = series.all();
    if (all.keySet().stream().noneMatch(key -> key.startsWith(ASIDE))) {
      return all;
    }
    Map<String, String> labels = new HashMap<>(all);
    all.forEach((key, value) -> {
      if (key.startsWith(ASIDE)) {
        labels.put(key.substring(ASIDE.length()), value);
      }
    });
    return labels;
  }

  private static String nameOf(Device.Claim claim) {
    return claim.series().labels().family().name();
  }
}
