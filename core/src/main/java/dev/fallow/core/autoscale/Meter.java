package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.Measure.Way;
import dev.fallow.core.autoscale.Question.Subject;
import dev.fallow.core.idle.Device;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSeries;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads one thing off a device. */
final class Meter {

  /** A line, and the moment up to which its source was read. */
  record Read(Line line, Instant upTo) {

    static final Read NOTHING = new Read(Line.NONE, Instant.EPOCH);

    boolean fresh() {
      return line.freshAt(upTo);
    }

    Read after(long moment) {
      return new Read(line.after(moment), upTo);
    }
  }

  private static final String ASIDE = "exported_";

  private final Question question;
  private final Map<Feed, Readings.Seen> feeds;

  Meter(Question question, Map<Feed, Readings.Seen> feeds) {
    this.question = question;
    this.feeds = feeds;
  }

  /**
   * @param device with the series that are believed alone
   * @param which of them to look at
   */
  Read read(Device device, Predicate<Device.Claim> which) {
    return switch (question.subject()) {
      case Subject.OfFamily of ->
          of.feed().equals(Feed.of(Signal.POWER)) && isPartition(device)
              ? Read.NOTHING
              : line(device, of.feed(), which.and(claim -> nameOf(claim).equals(of.family())), 1);
      case Subject.OfMeasure of -> best(device, of.measure(), which);
    };
  }

  /** Of which power is written as the whole card's, or as a zero. */
  private static boolean isPartition(Device device) {
    return device.claims().stream().anyMatch(claim -> claim.series().labels().partition());
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
   * The first way with a fresh sample; else the first that has any, which tells why not. Past a way
   * that could not be read none is tried: it would be another signal than a moment ago.
   */
  private Read best(Device device, Measure measure, Predicate<Device.Claim> which) {
    Read stale = Read.NOTHING;
    for (Way way : measure.ways()) {
      if (way.cardsOnly() && (device.id().mig() || isPartition(device))) {
        continue;
      }
      Read read =
          way.signal().isPresent()
              ? line(device, way.part(), which, way.scale())
              : share(device, way, which);
      if (read.fresh()) {
        return read;
      }
      stale = stale.line().isEmpty() ? read : stale;
      if (!way.feeds().stream().allMatch(this::isWhole)) {
        return stale;
      }
    }
    return stale;
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
        : new Read(part.line().dividedBy(whole, way.scale()), part.upTo());
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
            .toList();
    return new Read(Line.of(feed, series, scale), seen.at());
  }

  /** The lines of one pod that tells of itself, one for each set of labels. */
  Read ofPod(List<UsageSeries> series, Feed feed) {
    return Optional.ofNullable(feeds.get(feed))
        .map(seen -> new Read(Line.of(feed, series, 1), seen.at()))
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
