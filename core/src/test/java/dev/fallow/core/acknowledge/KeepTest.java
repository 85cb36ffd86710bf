package dev.fallow.core.acknowledge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.Annotations;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KeepTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final KeepRules RULES = new KeepRules(Duration.ofDays(7));

  @Test
  void aKeepBindsUntilTheVeryInstantItExpires() {
    Keep keep = new Keep(NOON, "alice", "");
    assertThat(keep.bindsAt(NOON.minusNanos(1))).isTrue();
    assertThat(keep.bindsAt(NOON)).isFalse();
  }

  @Test
  void whatNobodySaidIsTakenOff() {
    assertThat(new Keep(NOON.plusNanos(5), "alice", "").marks())
        .containsEntry(Annotations.KEEP_UNTIL, Optional.of("2026-11-02T12:00:00Z"))
        .containsEntry(Annotations.KEPT_BY, Optional.of("alice"))
        .containsEntry(Annotations.KEEP_REASON, Optional.empty());
  }

  @Test
  void clearingEndsGpuPrunersAcknowledgementToo() {
    assertThat(Keep.cleared())
        .containsKeys(Annotations.KEEP_UNTIL, Annotations.ACK_UNTIL, Annotations.ACK_BY)
        .allSatisfy((key, value) -> assertThat(value).isEmpty());
  }

  @Test
  void aWishIsBoundedInLengthAndText() {
    assertThat(RULES.problem(Duration.ofDays(7), "demo on Friday")).isEmpty();
    assertThat(RULES.problem(Duration.ofDays(7).plusSeconds(1), "")).isPresent();
    assertThat(RULES.problem(Duration.ofSeconds(59), "")).isPresent();
    assertThat(RULES.problem(Duration.ofSeconds(-5), "")).isPresent();
    assertThat(RULES.problem(Duration.ofHours(4), "x".repeat(301))).isPresent();
    assertThat(RULES.problem(Duration.ofHours(4), "two\nlines")).isPresent();
  }
}
