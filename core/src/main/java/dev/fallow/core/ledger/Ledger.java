package dev.fallow.core.ledger;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Past actions, and what the GPUs' time went to. Every method throws {@link
 * dev.fallow.core.Unavailable} of the source {@code ledger} if the store does not do it, within
 * bounded time; what returned is stored for good. May be called from any thread.
 *
 * <p>Text is kept as it is, save for characters that no store can hold (NUL, half surrogate pairs):
 * each becomes U+FFFD.
 */
public interface Ledger extends AutoCloseable {

  /** Records an action; one that is there already, by its identity, stays as it was. */
  void record(ActionRecord action);

  /** The actions asked for, the newest first. */
  List<ActionRecord> actions(ActionQuery query);

  /**
   * Adds the GPU time of one span, all of it or none. Time is counted once: a span that begins
   * before the end of one that was added is refused, so that two leaders, or a second try after a
   * doubtful failure, do no harm.
   *
   * @return whether it was added
   */
  boolean add(Span span, List<GpuTime> times);

  /** Up to when time has been counted: where the next span begins. Nothing in a new ledger. */
  Optional<Instant> countedUntil();

  /** Sums of GPU time, by hour, namespace, team, workload, model and state as far as asked for. */
  List<GpuTime> gpuTime(TimeQuery query);

  /**
   * Takes something upon oneself that is to be done once, such as the report of a week: whoever
   * claims it first, of all replicas and for ever after, gets it.
   *
   * @return whether it was nobody's before
   */
  boolean claim(String what, Instant at);

  /** When that was claimed, if it is. */
  Optional<Instant> claimedAt(String what);

  /** Gives a claim back, so that it can be made again. */
  void release(String what);

  /**
   * Removes actions and claims from before that moment, and hours that were over by then: how many
   * rows.
   */
  int forget(Instant before);

  @Override
  void close();
}
