package dev.fallow.app.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.ledger.Verb;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForgettingTest {
  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

  @TempDir Path folder;

  private static ActionRecord pause(String id, Instant at) {
    ObjectId web = new ObjectId("apps", "Deployment", "ml", "web", "u1");
    return new ActionRecord(id, at, Verb.PAUSE, Outcome.DONE, web, 1, 2, "IDLE", "idle", "");
  }

  @Test
  void whatIsOlderThanTheRetentionGoesOnceADay() {
    try (Ledger ledger = SqlLedger.at(folder.resolve("ledger.db").toString())) {
      ledger.record(pause("old", NOON.minus(Duration.ofDays(31))));
      ledger.record(pause("new", NOON.minus(Duration.ofDays(29))));
      Forgetting forgetting = new Forgetting(ledger, Duration.ofDays(30));

      forgetting.at(NOON);
      assertThat(ledger.actions(ActionQuery.latest(9)))
          .extracting(ActionRecord::actionId)
          .containsExactly("new");

      forgetting.at(NOON.plus(Duration.ofHours(23)));
      forgetting.at(NOON.plus(Duration.ofDays(2)));
      assertThat(ledger.actions(ActionQuery.latest(9))).isEmpty();
    }
  }
}
