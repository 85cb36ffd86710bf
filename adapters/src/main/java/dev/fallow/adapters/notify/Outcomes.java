package dev.fallow.adapters.notify;

import dev.fallow.core.notice.Delivery;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** What an answer over HTTP means for a message. */
final class Outcomes {

  private static final Duration LONGEST_WAIT = Duration.ofDays(1);

  private final String otherSide;
  private final InstantSource clock;

  /**
   * @param otherSide names it for people, such as {@code Slack}
   */
  Outcomes(String otherSide, InstantSource clock) {
    this.otherSide = otherSide;
    this.clock = clock;
  }

  /** Of an answer whose status alone decides. */
  Delivery of(Answer answer) {
    return switch (answer) {
      case Answer.Broken broken -> failed(broken.sentence());
      case Answer.Whole whole ->
          whole.status() / 100 == 2 ? confirmed("status " + whole.status()) : unlessTaken(whole);
    };
  }

  /** Of an answer that was not a 2xx. */
  Delivery unlessTaken(Answer.Whole answer) {
    int status = answer.status();
    return switch (status) {
      case 301, 308 ->
          refused(
              "has moved and is not followed there; set its new address (status " + status + ")");
      case 401, 403 ->
          refused(
              "does not let us in (status " + status + "); check the secret, and make a new one");
      case 404, 410 ->
          refused(
              "does not know the address (status "
                  + status
                  + "); the webhook may be gone: make a"
                  + " new one");
      case 407 -> failed("is behind a proxy that asks for credentials; give them in HTTPS_PROXY");
      case 408, 425 -> later(answer, "asks to try again (status " + status + ")");
      case 429 -> later(answer, "is sent too many messages at once (status 429)");
      default ->
          status / 100 == 4
              ? refused("does not take the message (status " + status + ")")
              : later(answer, "answers with status " + status);
    };
  }

  Delivery confirmed(String receipt) {
    return new Delivery.Confirmed(clock.instant(), receipt);
  }

  Delivery refused(String what) {
    return new Delivery.Refused(otherSide + " " + what);
  }

  Delivery failed(String what) {
    return new Delivery.Failed(otherSide + " " + what, Optional.empty());
  }

  Delivery later(Answer.Whole answer, String what) {
    return new Delivery.Failed(otherSide + " " + what, answer.retryAfter().flatMap(this::wait));
  }

  /** Seconds, or a date. */
  private Optional<Duration> wait(String header) {
    String text = header.strip();
    if (text.matches("[0-9]{1,9}")) {
      return Optional.of(bounded(Duration.ofSeconds(Long.parseLong(text))));
    }
    try {
      Instant until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Optional.of(bounded(Duration.between(clock.instant(), until)));
    } catch (DateTimeException | ArithmeticException unreadable) {
      return Optional.empty();
    }
  }

  private static Duration bounded(Duration asked) {
    if (asked.isNegative()) {
      return Duration.ZERO;
    }
    return asked.compareTo(LONGEST_WAIT) < 0 ? asked : LONGEST_WAIT;
  }
}
