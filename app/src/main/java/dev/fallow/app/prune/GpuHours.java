package dev.fallow.app.prune;

import dev.fallow.app.Inspection;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.CardParts;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Counts what the GPUs' time went to since the look before, and enters it into the ledger. */
public final class GpuHours {

  /**
   * More than any cluster has. What a pause freed stands on the object, where whoever may change it
   * may write what they like; the sums of a year must hold all the same.
   */
  private static final long MOST_CARDS = 100_000;

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
                    inspection.cluster().sharingNodes(),
                    inspection.cluster().spotNodes(),
                    teams,
                    paused(inspection, teams)));
    return ledger.add(span, times)
        ? times.stream()
            .filter(time -> time.state() == GpuState.SAVED)
            .mapToDouble(GpuTime::cardHours)
            .sum()
        : 0;
  }

  private static List<Paused> paused(Inspection inspection, Teams teams) {
    List<Paused> paused = new ArrayList<>();
    long parts = 0;
    for (OwnerObject owner : inspection.cluster().marked()) {
      for (Paused one : asPaused(owner, teams).toList()) {
        parts += one.parts();
        if (parts <= MOST_CARDS * CardParts.WHOLE) {
          paused.add(one);
        }
      }
    }
    return paused;
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
