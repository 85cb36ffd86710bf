package dev.fallow.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Router;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HealthRoutesTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

  private final Health health = new Health();
  private final Router router = new Router(HealthRoutes.of(health));

  @Test
  void aProcessThatLivesIsHealthyWhateverIsDegraded() {
    assertThat(ask("/healthz").status()).isEqualTo(200);
    health.degraded("prometheus", "does not answer", NOON);
    assertThat(ask("/healthz").status()).isEqualTo(200);
  }

  @Test
  void readinessBeginsWithTheFirstCycle() {
    assertThat(ask("/readyz").status()).isEqualTo(503);
    assertThat(ask("/readyz").bodyText()).isEqualTo("{\"ready\":false,\"degraded\":[]}");
    health.started();
    assertThat(ask("/readyz").status()).isEqualTo(200);
  }

  @Test
  void anOutageOutsideIsListedAndDoesNotEndReadiness() {
    health.started();
    health.degraded("prometheus", "does not answer", NOON);
    health.degraded("prometheus", "answers \"503\"", NOON.plusSeconds(60));

    assertThat(ask("/readyz").status()).isEqualTo(200);
    assertThat(ask("/readyz").bodyText())
        .isEqualTo(
            "{\"ready\":true,\"degraded\":[{\"part\":\"prometheus\","
                + "\"since\":\"2026-11-02T12:00:00Z\",\"sentence\":\"answers \\\"503\\\"\"}]}");
  }

  @Test
  void whatRecoversAndFailsAgainFailsSinceThen() {
    health.degraded("slack", "refuses", NOON);
    health.recovered("slack");
    assertThat(health.state().degraded()).isEmpty();
    health.degraded("slack", "refuses", NOON.plusSeconds(9));
    assertThat(health.state().degraded().getFirst().since()).isEqualTo(NOON.plusSeconds(9));
  }

  private Reply ask(String path) {
    return router.answer(Request.get(path));
  }
}
