package dev.fallow.app.prune;

import dev.fallow.app.Inspection;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Teams;
import dev.fallow.core.ledger.Accounting;
import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Look;
import dev.fallow.core.ledger.Paused;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.core.prune.PauseNote;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts what the GPUs' time went to since the look before, and enters it into the ledger. */
public final class GpuHours {

  private final Ledger ledger;
  private final Duration maxGap;
  private Optional<Instant> previous = Optional.empty();

  /**
   * @param interval from one look to the next
   */
  public GpuHours(Ledger ledger, Duration interval) {
    this.ledger = ledger;
    Duration three = interval.multipliedBy(3);
    this.maxGap = three.compareTo(Duration.ofMinutes(10)) > 0 ? three : Duration.ofMinutes(10);
  }

  /**
   * @return the GPU hours that were saved since the look before
   */
  public double count(Inspection inspection) {
    Instant now = inspection.at();
    Optional<Instant> from = ledger.countedUntil().or(() -> previous);
    previous = Optional.of(now);
    if (from.isEmpty() || !from.get().isBefore(now)) {
      // The first look of all begins the count.
      ledger.add(new Span(now, now), List.of());
      return 0;
    }
    // Months without a look are not cut into hours one by one.
    Instant since = from.get().isBefore(now.minus(Duration.ofDays(2))) ? now : from.get();
    Span span = new Span(since, now);
    Teams teams = Teams.of(inspection.cluster().namespaces());
    List<GpuTime> times =
        new Accounting(maxGap)
            .count(
                new Look(
                    span,
                    inspection.decisions(),
                    nodes(inspection, GpuNode::sharing),
                    nodes(inspection, GpuNode::spot),
                    teams,
                    paused(inspection, teams)));
    return ledger.add(span, times)
        ? times.stream()
            .filter(time -> time.state() == GpuState.SAVED)
            .mapToDouble(GpuTime::cardHours)
            .sum()
        : 0;
  }

  private static Set<String> nodes(Inspection inspection, Predicate<GpuNode> which) {
    return inspection.cluster().nodes().stream()
        .filter(which)
        .map(GpuNode::name)
        .collect(Collectors.toSet());
  }

  private static List<Paused> paused(Inspection inspection, Teams teams) {
    return inspection.cluster().marked().stream().flatMap(owner -> asPaused(owner, teams)).toList();
  }

  private static Stream<Paused> asPaused(OwnerObject owner, Teams teams) {
    if (!PausableKind.isOff(owner)) {
      return Stream.empty();
    }
    return PauseNote.freedBy(owner).stream()
        .flatMap(note ->
            ObjectTree.parseInstant(owner.annotations().getOrDefault(Annotations.PAUSED_AT, ""))
                .stream()
                .map(since ->
                    new Paused(
                        owner.workload(),
                        teams.of(owner),
                        note.model(),
                        note.spot(),
                        note.parts(),
                        since)));
  }
}
