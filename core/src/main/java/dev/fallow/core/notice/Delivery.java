package dev.fallow.core.notice;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What came of an attempt to deliver a message. Whatever is unclear has failed. */
public sealed interface Delivery {

  /**
   * The other side said that it has the message.
   *
   * @param receipt by which the other side knows it
   */
  record Confirmed(Instant at, String receipt) implements Delivery {}

  /** Will never succeed as it is. The sentence says what to change. */
  record Refused(String sentence) implements Delivery {}

  /**
   * May succeed later, and may have arrived nevertheless.
   *
   * @param retryAfter what the other side asks for
   */
  record Failed(String sentence, Optional<Duration> retryAfter) implements Delivery {}
}
