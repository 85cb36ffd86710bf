package dev.fallow.app.notice;

import dev.fallow.app.prune.Books;
import dev.fallow.app.prune.Deed;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.ledger.Verb;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * Tells owners what was done to their workloads. What there is to tell stands in the ledger, and so
 * does who was told: after a restart, or with another leader, nothing is forgotten and nothing told
 * twice. What could not be told for an hour is no news any more.
 */
public final class DeedNews {

  private static final Duration NEWS = Duration.ofHours(1);
  private static final int MOST_AT_ONCE = 200;

  private final Ledger ledger;
  private final Letters letters;
  private final Function<ObjectId, List<Address>> owners;
  private final Channel channel;
  private final NoticeSigns signs;
  private final Executor aside;
  private final AtomicBoolean running = new AtomicBoolean();

  /** What need not be claimed again, by its claim and when it was done. */
  private final Map<String, Instant> settled = new HashMap<>();

  /**
   * @param aside where it is done, so that nobody waits for it
   */
  DeedNews(
      Ledger ledger,
      Letters letters,
      Function<ObjectId, List<Address>> owners,
      Channel channel,
      NoticeSigns signs,
      Executor aside) {
    this.ledger = ledger;
    this.letters = letters;
    this.owners = owners;
    this.channel = channel;
    this.signs = signs;
    this.aside = aside;
  }

  /** To be called after each look by whoever leads; returns at once. */
  public void at(Instant now) {
    if (!running.compareAndSet(false, true)) {
      return;
    }
    aside.execute(() -> {
      try {
        tell(now);
      } catch (Unavailable ledgerAway) {
        // The cycle meets the same silence, and tells of it.
      } finally {
        running.set(false);
      }
    });
  }

  private void tell(Instant now) {
    settled.values().removeIf(done -> done.isBefore(now.minus(NEWS)));
    for (Verb verb : List.of(Verb.PAUSE, Verb.RESUME)) {
      ledger
          .actions(
              ActionQuery.latest(MOST_AT_ONCE).between(now.minus(NEWS), now.plus(NEWS)).verb(verb))
          .reversed()
          .stream()
          .filter(action -> action.outcome() == Outcome.DONE)
          // Nobody knows who did it, so nobody is told that it was done.
          .filter(action -> !action.reason().equals(Books.FOUND_PAUSED))
          .forEach(action -> tell(action, now));
    }
  }

  private void tell(ActionRecord action, Instant now) {
    letters
        .of(deed(action))
        .ifPresent(message ->
            owners.apply(action.workload()).forEach(owner -> tell(action, owner, message, now)));
  }

  private void tell(ActionRecord action, Address owner, Message message, Instant now) {
    String claim = message.id() + " " + owner.text();
    if (settled.containsKey(claim)) {
      return;
    }
    if (!ledger.claim(claim, now)) {
      settled.put(claim, action.at());
      return;
    }
    Delivery delivery = channel.deliver(owner, message);
    signs.delivery(List.of(owner), message, delivery);
    switch (delivery) {
      case Delivery.Confirmed confirmed -> settled.put(claim, action.at());
      case Delivery.Refused refused -> settled.put(claim, action.at());
      case Delivery.Failed failed -> ledger.release(claim);
    }
  }

  private static Deed deed(ActionRecord action) {
    return new Deed(
        action.verb() == Verb.PAUSE ? Deed.Verb.PAUSE : Deed.Verb.RESUME,
        action.actionId(),
        action.at(),
        action.workload(),
        action.gpus(),
        action.dollarsPerHour(),
        action.sentence(),
        action.by(),
        new dev.fallow.core.prune.Outcome.Done(""));
  }
}
