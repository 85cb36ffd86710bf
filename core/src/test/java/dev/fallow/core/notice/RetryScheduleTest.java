package dev.fallow.core.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RetryScheduleTest {

  private static final Duration FIRST = Duration.ofSeconds(2);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final Optional<Duration> UNASKED = Optional.empty();

  private final RetrySchedule schedule = new RetrySchedule(FIRST, LONGEST);

  @Test
  void theSameAttemptOfTheSameMessageAlwaysWaitsAsLong() {
    assertThat(schedule.delay("m-1", 3, UNASKED)).isEqualTo(schedule.delay("m-1", 3, UNASKED));
  }

  @Test
  void messagesThatFailedTogetherComeBackApart() {
    long different =
        IntStream.range(0, 100)
            .mapToObj(i -> schedule.delay("m-" + i, 4, UNASKED))
            .distinct()
            .count();

    assertThat(different).isGreaterThan(90);
  }

  @Test
  void eachWaitIsBetweenHalfAndAllOfTwiceTheOneBefore() {
    for (int attempt = 1; attempt <= 8; attempt++) {
      Duration full = FIRST.multipliedBy(1L << (attempt - 1));
      assertThat(schedule.delay("m-1", attempt, UNASKED)).isBetween(full.dividedBy(2), full);
    }
  }

  @Test
  void noWaitIsShorterThanAskedForOrLongerThanTheLongest() {
    Random random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      Duration asked = Duration.ofMillis(random.nextLong(LONGEST.toMillis() * 2));
      int attempt = 1 + random.nextInt(i % 2 == 0 ? 10 : Integer.MAX_VALUE - 1);
      Duration delay = schedule.delay("m-" + i, attempt, Optional.of(asked));

      assertThat(delay).isPositive().isLessThanOrEqualTo(LONGEST);
      assertThat(delay).isGreaterThanOrEqualTo(asked.compareTo(LONGEST) < 0 ? asked : LONGEST);
    }
  }

  @Test
  void anAbsurdRequestIsNotObeyed() {
    assertThat(schedule.delay("m", 1, Optional.of(Duration.ofSeconds(Long.MAX_VALUE))))
        .isEqualTo(LONGEST);
    assertThat(schedule.delay("m", 1, Optional.of(Duration.ofSeconds(-5)))).isPositive();
  }

  @Test
  void attemptsAreCountedFromOne() {
    assertThatThrownBy(() -> schedule.delay("m", 0, UNASKED))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
