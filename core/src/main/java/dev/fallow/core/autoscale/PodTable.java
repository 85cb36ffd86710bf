package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.Holdings.Held;
import dev.fallow.core.autoscale.Meter.Read;
import dev.fallow.core.autoscale.PodNumber.Cause;
import dev.fallow.core.autoscale.PodNumber.Measured;
import dev.fallow.core.autoscale.PodNumber.Part;
import dev.fallow.core.autoscale.PodNumber.Without;
import dev.fallow.core.autoscale.Question.Subject;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.DeviceId;
import dev.fallow.core.idle.UsageSeries;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One question, answered for every pod of a snapshot. */
final class PodTable {

  private final Map<ObjectId, PodNumber> numbers = new LinkedHashMap<>();
  private final Question question;

  PodTable(Question question, Holdings holdings, Meter meter) {
    this.question = question;
    Map<String, List<UsageSeries>> told =
        question.ofDevices() ? Map.of() : toldByPods(question, holdings.readings());
    for (GpuPod pod : holdings.readings().cluster().pods()) {
      Standing standing = holdings.standing(pod);
      Optional<Cause> absent =
          switch (standing) {
            case GONE -> Optional.of(Cause.GONE);
            case PENDING -> Optional.of(Cause.PENDING);
            case WARMING -> Optional.of(Cause.WARMING);
            case READY, UNREADY -> Optional.empty();
          };
      PodNumber number;
      if (absent.isPresent()) {
        number = new Without(pod, standing, absent.get());
      } else if (question.ofDevices()) {
        number = byDevices(pod, standing, holdings, meter);
      } else {
        number = byItself(pod, standing, told, holdings.scrapers(), meter);
      }
      boolean justReady = number instanceof Without && isJustReady(pod, holdings.readings().at());
      numbers.put(pod.id(), justReady ? new Without(pod, standing, Cause.WARMING) : number);
    }
  }

  PodNumber of(GpuPod pod) {
    PodNumber number = numbers.get(pod.id());
    return number == null ? new Without(pod, Standing.GONE, Cause.GONE) : number;
  }

  private PodNumber byDevices(GpuPod pod, Standing standing, Holdings holdings, Meter meter) {
    List<Held> shown = holdings.of(pod);
    if (shown.isEmpty()) {
      return new Without(pod, standing, Cause.NO_SERIES);
    }
    // Labels choose among its devices: those that they leave out are not asked for.
    long began = holdings.window().of(pod).after();
    List<Held> held = shown.stream().filter(one -> meter.isAskedFor(one.device(), began)).toList();
    // A family under its own name may be of some devices only, such as one that counts errors.
    boolean all =
        switch (question.subject()) {
          case Subject.OfMeasure of -> true;
          case Subject.OfFamily of -> Feed.isKnown(of.family());
        };
    if (all && shown.size() < holdings.asked(pod)) {
      return new Without(pod, standing, Cause.GPUS_MISSING);
    }
    Map<DeviceId, Part> parts = new LinkedHashMap<>();
    Cause cause = Cause.NOT_MEASURED;
    boolean stale = false;
    long start = Math.max(began, speaksAfter(pod));
    for (Held one : held) {
      if (question.isPerProcess() && one.shared() && !meter.showsSharing(one.device())) {
        cause = Cause.NOT_READ;
        continue;
      }
      boolean own = one.toldApart() && meter.isPerProcess(one.device());
      Read read =
          (own ? meter.ofProcesses(one.device(), pod) : meter.read(one.device())).after(start);
      Optional<Reading> reading = read.line().over(question.over(), read.upTo());
      if (reading.isPresent()) {
        boolean split = question.split() && !own && one.sharers() > 1;
        Reading part =
            split ? reading.get().with(reading.get().value() / one.sharers()) : reading.get();
        parts.put(one.device().id(), new Part(part, own || split, read.from()));
      } else if (!read.line().isEmpty()) {
        cause = Cause.STALE;
        stale = true;
      }
    }
    // Without one that has fallen silent the others would speak for it.
    boolean enough = !parts.isEmpty() && !stale && (!all || parts.size() == held.size());
    return enough
        ? new Measured(pod, standing, Reading.together(readings(parts), question.within()), parts)
        : new Without(pod, standing, cause);
  }

  /**
   * After when a pod's number is its own: what was told before it began is of the pod that had its
   * name. Kubernetes tells the second of a start, so that second is nobody's.
   */
  static long ownAfter(GpuPod pod) {
    return pod.started().map(start -> start.toEpochMilli() + 999).orElse(Long.MIN_VALUE);
  }

  /**
   * After when a pod's number says something about the load: what was measured before it became
   * Ready is of its start.
   */
  private static long speaksAfter(GpuPod pod) {
    return Math.max(
        ownAfter(pod), pod.readySince().map(Instant::toEpochMilli).orElse(Long.MIN_VALUE));
  }

  /** Whether its first sample since it is Ready may still be on the way. */
  private static boolean isJustReady(GpuPod pod, Instant at) {
    return pod.readySince()
        .filter(ready -> at.toEpochMilli() - ready.toEpochMilli() < Line.STALE_AFTER_MILLIS)
        .isPresent();
  }

  private static List<Reading> readings(Map<DeviceId, Part> parts) {
    return parts.values().stream().map(Part::reading).toList();
  }

  private PodNumber byItself(
      GpuPod pod,
      Standing standing,
      Map<String, List<UsageSeries>> told,
      ScrapeTrust trust,
      Meter meter) {
    List<UsageSeries> ofPod =
        told.getOrDefault(pod.id().namespace() + "/" + pod.id().name(), List.of());
    List<UsageSeries> all = ofPod.stream().filter(trust::believes).toList();
    if (!(question.subject() instanceof Subject.OfFamily family) || !isAskedFor(all)) {
      return ofPod.stream()
          .filter(this::fits)
          .findFirst()
          .map(one -> ScrapeTrust.why(one.labels().job()))
          .map(why -> new Without(pod, standing, Cause.NOT_BELIEVED, why))
          .orElseGet(() -> new Without(pod, standing, Cause.NO_SERIES));
    }
    List<UsageSeries> series =
        LastingSeries.of(family.feed(), all, ownAfter(pod)).stream().filter(this::fits).toList();
    List<Reading> fresh = new ArrayList<>();
    List<Told> seen = Told.of(series);
    for (Told one : seen) {
      Read read = meter.ofPod(one.series(), family.feed());
      read.after(speaksAfter(pod)).line().over(question.over(), read.upTo()).ifPresent(fresh::add);
    }
    boolean partly = question.within() == MetricName.Across.SUM && fresh.size() < seen.size();
    return fresh.isEmpty() || partly
        ? new Without(pod, standing, Cause.STALE)
        : new Measured(pod, standing, Reading.together(fresh, question.within()), Map.of());
  }

  private boolean isAskedFor(List<UsageSeries> series) {
    return series.stream().anyMatch(this::fits);
  }

  private boolean fits(UsageSeries series) {
    return question.labels().matches(Meter.ofWorkload(series));
  }

  /** By the pod that was scraped: a pod speaks for itself and for nobody else. */
  private static Map<String, List<UsageSeries>> toldByPods(Question question, Readings readings) {
    Map<String, List<UsageSeries>> told = new HashMap<>();
    if (question.subject() instanceof Subject.OfFamily family) {
      Readings.Seen seen = readings.feeds().get(family.feed());
      for (UsageSeries one : seen == null ? List.<UsageSeries>of() : seen.series()) {
        told.computeIfAbsent(one.labels().plain().toString(), pod -> new ArrayList<>(2)).add(one);
      }
    }
    return told;
  }

  /**
   * Some pods as one: each device counts once, however many of them hold it. Answers nothing if too
   * few are measured to speak for all.
   */
  Optional<Reading> together(List<GpuPod> pods) {
    return together(pods, question.among());
  }

  Optional<Reading> together(List<GpuPod> pods, MetricName.Across among) {
    List<Measured> measured = new ArrayList<>();
    int asked = 0;
    for (GpuPod pod : pods) {
      PodNumber number = of(pod);
      // Under too much load pods fall, and go on working: a total without them falls when it ought
      // to rise. A mean is of what they have alike.
      boolean fell = number.standing() == Standing.UNREADY && among == MetricName.Across.SUM;
      if (number.standing() == Standing.READY || fell) {
        asked++;
        if (number instanceof Measured one) {
          measured.add(one);
        }
      }
    }
    // What is missing from a sum would count as nothing.
    boolean sum = among == MetricName.Across.SUM || question.within() == MetricName.Across.SUM;
    boolean speaks = sum ? measured.size() == asked : enough(measured.size(), asked);
    if (measured.isEmpty() || !speaks) {
      return Optional.empty();
    }
    if (!question.ofDevices()) {
      return Optional.of(
          Reading.together(measured.stream().map(Measured::reading).toList(), among));
    }
    Map<DeviceId, Part> devices = new LinkedHashMap<>();
    for (Measured one : measured) {
      one.devices().forEach((device, part) -> devices.merge(device, part, PodTable::joined));
    }
    return Optional.of(Reading.together(readings(devices), among));
  }

  /** Parts of a device add up to no more than the device; copies of its value stay one. */
  private static Part joined(Part one, Part other) {
    Reading later =
        one.reading().at().isAfter(other.reading().at()) ? one.reading() : other.reading();
    return one.own() && other.own()
        ? new Part(later.with(one.reading().value() + other.reading().value()), true, one.from())
        : new Part(later, one.own(), one.from());
  }

  /** Whether so many of them can speak for all: three quarters can. */
  static boolean enough(int measured, int all) {
    return 4 * measured >= 3 * all;
  }
}
