package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.EventWriter;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.Journal;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.prune.PastPause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Tells of each deed on the workload itself, as an Event. */
final class EventJournal implements Journal {

  private final EventWriter events;
  private final List<PastPause> pauses = new ArrayList<>();

  EventJournal(EventWriter events) {
    this.events = events;
  }

  @Override
  public void record(Deed deed) {
    if (!deed.done()) {
      return;
    }
    switch (deed.verb()) {
      case PAUSE -> {
        pauses.add(new PastPause(deed.actionId(), deed.workload().namespace(), deed.at()));
        tell(deed, "Paused", "Paused: " + deed.sentence());
      }
      case RESUME -> tell(deed, "Resumed", deed.sentence());
      case UNDONE -> tell(deed, "PauseUndone", deed.sentence());
      case ANNOUNCE -> {
        // The annotation is the announcement.
      }
    }
  }

  private void tell(Deed deed, String reason, String message) {
    events.write(deed.workload(), reason, message, deed.actionId(), deed.at());
  }

  /** The event's name is the action's, so telling again changes nothing. */
  @Override
  public void recover(OwnerObject paused, Instant at) {}

  @Override
  public List<PastPause> pausesSince(Instant since) {
    return pauses.stream().filter(pause -> pause.at().isAfter(since)).toList();
  }

  static String idOf(OwnerObject paused) {
    return paused.annotations().getOrDefault(Annotations.ACTION_ID, "");
  }

  static Instant pausedAt(OwnerObject paused, Instant otherwise) {
    return ObjectTree.parseInstant(paused.annotations().getOrDefault(Annotations.PAUSED_AT, ""))
        .orElse(otherwise);
  }
}
