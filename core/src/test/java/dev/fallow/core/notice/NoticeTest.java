package dev.fallow.core.notice;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NoticeTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final Notice BEGUN = new Notice("n-1", NOON, Optional.empty());

  @Test
  void itIsReadAsItWasWritten() {
    assertThat(Notice.parse(BEGUN.toString())).contains(BEGUN);
    Notice arrived = BEGUN.delivered(NOON.plusSeconds(7));
    assertThat(Notice.parse(arrived.toString())).contains(arrived);
    Notice seen = BEGUN.seenAt(NOON.plusSeconds(3600));
    assertThat(Notice.parse(seen.toString())).contains(seen);
    Notice both = arrived.seenAt(NOON.plusSeconds(3600));
    assertThat(Notice.parse(both.toString())).contains(both);
    assertThat(both.delivered()).isPresent();
  }

  @Test
  void theFirstConfirmedDeliveryCounts() {
    Notice twice = BEGUN.delivered(NOON.plusSeconds(7)).delivered(NOON.plusSeconds(99));
    assertThat(twice.endsAfter(Duration.ofSeconds(300))).contains(NOON.plusSeconds(307));
    assertThat(BEGUN.endsAfter(Duration.ofSeconds(300))).isEmpty();
  }

  @Test
  void workSinceThenMakesItOneAboutThePast() {
    Optional<Instant> before = Optional.of(NOON.minusSeconds(1800));
    Optional<Instant> after = Optional.of(NOON.plusSeconds(1));
    assertThat(BEGUN.isAbout(before, before)).isTrue();
    assertThat(BEGUN.isAbout(after, after)).isFalse();
    assertThat(BEGUN.seenAt(NOON.plusSeconds(7200)).isAbout(after, after)).isFalse();
  }

  @Test
  void evidenceThatBeginsLaterTakesNothingBackWhereALookHasSeenTheTimeBefore() {
    Instant later = NOON.plusSeconds(5400);
    Notice seen = BEGUN.seenAt(NOON.plusSeconds(1800)).seenAt(later);
    assertThat(seen.isAbout(Optional.empty(), Optional.of(later))).isTrue();
    assertThat(seen.isAbout(Optional.empty(), Optional.of(later.plusSeconds(1)))).isFalse();
  }

  @Test
  void onlyWhatWasDeliveredAndNobodyLookedAtSinceIsLostSightOf() {
    Optional<Instant> before = Optional.of(NOON.minusSeconds(60));
    Optional<Instant> later = Optional.of(NOON.plusSeconds(7200));
    Notice told = BEGUN.delivered(NOON.plusSeconds(7));
    assertThat(told.isLostSightOf(before, later)).isTrue();
    assertThat(told.isLostSightOf(Optional.empty(), later)).isTrue();
    assertThat(told.isLostSightOf(later, later)).as("at work since").isFalse();
    assertThat(told.isLostSightOf(before, before)).as("it counts").isFalse();
    assertThat(BEGUN.isLostSightOf(before, later)).as("nobody was told").isFalse();
    assertThat(Notice.looksEvery(Duration.ofMinutes(90))).isEqualTo(Duration.ofHours(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "n-1",
        "n-1 yesterday",
        "n-1 2026-11-02T12:00:00Z soon",
        "n-1 2026-11-02T12:00:00Z 2026-11-02T12:00:00Z more",
        "n-1 2026-11-02T12:00:00Z - -",
        "n-1 2026-11-02T12:00:00Z - 2026-11-02T12:00:00Z more",
        "<b> 2026-11-02T12:00:00Z",
      })
  void whatCannotBeReadIsNoNotice(String text) {
    assertThat(Notice.parse(text)).isEmpty();
  }
}
