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
  }

  @Test
  void theFirstConfirmedDeliveryCounts() {
    Notice twice = BEGUN.delivered(NOON.plusSeconds(7)).delivered(NOON.plusSeconds(99));
    assertThat(twice.endsAfter(Duration.ofSeconds(300))).contains(NOON.plusSeconds(307));
    assertThat(BEGUN.endsAfter(Duration.ofSeconds(300))).isEmpty();
  }

  @Test
  void workSinceThenMakesItOneAboutThePast() {
    assertThat(BEGUN.isAbout(Optional.of(NOON.minusSeconds(1800)))).isTrue();
    assertThat(BEGUN.isAbout(Optional.of(NOON.plusSeconds(1)))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "n-1",
        "n-1 yesterday",
        "n-1 2026-11-02T12:00:00Z soon",
        "n-1 2026-11-02T12:00:00Z 2026-11-02T12:00:00Z more",
        "<b> 2026-11-02T12:00:00Z",
      })
  void whatCannotBeReadIsNoNotice(String text) {
    assertThat(Notice.parse(text)).isEmpty();
  }
}
