package dev.fallow.app.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.Feed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DemandTest {
  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

  private final Demand demand = new Demand(Duration.ofMinutes(5), Duration.ofSeconds(15));

  private static Feed feed(String name) {
    return Feed.of(name).orElseThrow();
  }

  @Test
  void namesWithoutNumbersDoNotDriveOutThoseThatHaveThem() {
    Feed real = feed("DCGM_FI_DEV_GPU_UTIL");
    demand.ask(List.of(real), NOON);
    demand.tried(real, NOON);
    demand.due(Set.of(real), NOON);
    for (int i = 0; i < 3 * Demand.MOST; i++) {
      Feed junk = feed("junk_" + i);
      Instant at = NOON.plusSeconds(i / 10);
      demand.ask(List.of(junk), at);
      demand.tried(junk, at);
    }
    assertThat(demand.due(Set.of(real), NOON.plusSeconds(60))).contains(real);
  }

  @Test
  void namesWithoutNumbersDoNotKeepTheUsualOnesOut() {
    for (int i = 0; i < Demand.MOST; i++) {
      demand.ask(List.of(feed("junk_" + i)), NOON);
    }
    Feed real = feed("DCGM_FI_DEV_GPU_UTIL");
    assertThat(demand.ask(List.of(real), NOON)).containsExactly(real);
    assertThat(demand.due(Set.of(), NOON)).contains(real);
  }

  @Test
  void thereAreOnlySoMany() {
    for (int i = 0; i < 3 * Demand.MOST; i++) {
      demand.ask(List.of(feed("junk_" + i)), NOON);
    }
    assertThat(demand.due(Set.of(), NOON)).hasSize(Demand.MOST);
  }
}
