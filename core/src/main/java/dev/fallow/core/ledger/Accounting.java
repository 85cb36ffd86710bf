package dev.fallow.core.ledger;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.DeviceId;
import dev.fallow.core.prune.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Turns looks at the fleet into GPU time. A look speaks for the time since the one before it. What
 * ended in between is not seen any more and its last stretch not counted; what was bound in between
 * counts from then on.
 *
 * @param maxGap the longest time that one look can speak for. Of a longer one nobody knows what the
 *     devices did in it, so what is held counts as unknown, and nothing as saved
 */
public record Accounting(Duration maxGap) {

  private static final long HOUR = Duration.ofHours(1).toMillis();

  public List<GpuTime> count(Look look) {
    boolean gap = look.span().length().compareTo(maxGap) > 0;
    Tally tally = new Tally(look.span(), gap);
    Map<DeviceId, List<Holding>> shared = new TreeMap<>();
    Set<String> holders = new HashSet<>();
    for (Decision decision : look.decisions()) {
      for (Holding holding : Holding.of(decision, look)) {
        holders.add(holding.workload().toString());
        holding
            .shared()
            .ifPresentOrElse(
                device -> shared.computeIfAbsent(device, key -> new ArrayList<>()).add(holding),
                () -> tally.alone(holding));
      }
    }
    shared.values().forEach(tally::together);
    if (!gap) {
      // What is told to stop and has not yet stopped holds its GPUs all the same.
      look.paused().stream()
          .filter(paused -> !holders.contains(paused.workload().toString()))
          .forEach(tally::saved);
    }
    return tally.times();
  }

  /** Sums by hour, workload, team, model, capacity and state. */
  private static final class Tally {
    private final long from;
    private final long to;
    private final boolean gap;
    private final Map<Line, Long> sums = new TreeMap<>(Line.ORDER);

    Tally(Span span, boolean gap) {
      this.from = span.from().toEpochMilli();
      this.to = span.to().toEpochMilli();
      this.gap = gap;
    }

    void alone(Holding holding) {
      long start = startOf(holding);
      pieces(List.of(start))
          .forEach(piece -> {
            if (piece.from() >= start) {
              add(piece, holding, Math.multiplyExact(holding.parts(), piece.millis()));
            }
          });
    }

    /**
     * Splits a device evenly between those that hold it, anew whenever one comes. What cannot be
     * split goes to the first of them by name, a unit each.
     */
    void together(List<Holding> sharers) {
      List<Holding> sorted = new ArrayList<>(sharers);
      sorted.sort(Comparator.comparing(sharer -> sharer.pod().id()));
      int parts = sorted.stream().mapToInt(Holding::parts).max().orElse(0);
      for (Piece piece : pieces(sorted.stream().map(this::startOf).toList())) {
        List<Holding> present =
            sorted.stream().filter(sharer -> startOf(sharer) <= piece.from()).toList();
        long whole = parts * piece.millis();
        for (int i = 0; i < present.size(); i++) {
          long rest = whole % present.size();
          add(piece, present.get(i), whole / present.size() + (i < rest ? 1 : 0));
        }
      }
    }

    void saved(Paused paused) {
      long start = Math.clamp(paused.since().toEpochMilli(), from, to);
      for (Piece piece : pieces(List.of(start))) {
        if (piece.from() >= start) {
          Line line =
              new Line(
                  piece.hour(),
                  paused.workload(),
                  paused.workload().namespace(),
                  paused.team(),
                  paused.model(),
                  paused.spot(),
                  GpuState.SAVED);
          add(line, Math.multiplyExact(paused.parts(), piece.millis()));
        }
      }
    }

    private long startOf(Holding holding) {
      return holding
          .pod()
          .heldSince()
          .map(since -> Math.clamp(since.toEpochMilli(), from, to))
          .orElse(from);
    }

    /** The span, cut at full hours and at the given moments. */
    private List<Piece> pieces(List<Long> moments) {
      TreeSet<Long> cuts = new TreeSet<>(moments);
      cuts.add(to);
      for (long hour = Math.floorDiv(from, HOUR) * HOUR + HOUR; hour < to; hour += HOUR) {
        cuts.add(hour);
      }
      List<Piece> pieces = new ArrayList<>();
      long start = from;
      for (long end : cuts.tailSet(from, false)) {
        pieces.add(new Piece(start, end));
        start = end;
      }
      return pieces;
    }

    private void add(Piece piece, Holding holding, long amount) {
      GpuState state = gap ? GpuState.UNKNOWN : holding.state();
      add(
          new Line(
              piece.hour(),
              holding.workload(),
              holding.pod().id().namespace(),
              holding.team(),
              holding.model(),
              holding.spot(),
              state),
          amount);
    }

    private void add(Line line, long amount) {
      if (amount > 0) {
        sums.merge(line, amount, Math::addExact);
      }
    }

    List<GpuTime> times() {
      List<GpuTime> times = new ArrayList<>(sums.size());
      sums.forEach((line, amount) ->
          times.add(
              new GpuTime(
                  Instant.ofEpochMilli(line.hour()),
                  line.workload().toString(),
                  line.namespace(),
                  line.team(),
                  line.model(),
                  line.spot(),
                  line.state(),
                  amount)));
      return times;
    }
  }

  /** A stretch within one hour. */
  private record Piece(long from, long to) {

    long millis() {
      return to - from;
    }

    long hour() {
      return Math.floorDiv(from, HOUR) * HOUR;
    }
  }

  /** The namespace is the pods': a root may be an object of the cluster. */
  private record Line(
      long hour,
      ObjectId workload,
      String namespace,
      String team,
      String model,
      boolean spot,
      GpuState state) {
    static final Comparator<Line> ORDER =
        Comparator.comparingLong(Line::hour)
            .thenComparing(Line::workload)
            .thenComparing(Line::namespace)
            .thenComparing(Line::team)
            .thenComparing(Line::model)
            .thenComparing(Line::spot)
            .thenComparing(Line::state);
  }
}
