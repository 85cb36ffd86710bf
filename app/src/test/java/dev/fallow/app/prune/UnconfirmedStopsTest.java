package dev.fallow.app.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.demo.SimWorkshop;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.Outcome;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnconfirmedStopsTest {

  private static final ObjectId SERVICE =
      new ObjectId("serving.kserve.io", "InferenceService", "ml", "llm", "u1");
  private static final ObjectId DEPLOYMENT = new ObjectId("apps", "Deployment", "ml", "web", "u2");

  private final UnconfirmedStops stops = new UnconfirmedStops();

  private static Deed pause(String id, ObjectId workload, Outcome outcome) {
    return new Deed(
        Deed.Verb.PAUSE, id, Instant.EPOCH, workload, 1, 0, "idle", Deed.OURSELVES, outcome);
  }

  private static final Outcome DONE = new Outcome.Done("paused");

  @Test
  void onlyWhatAnOperatorHasToFollowIsWaitedFor() {
    assertThat(stops.takes(pause("a", DEPLOYMENT, DONE))).isFalse();
    assertThat(stops.takes(pause("b", SERVICE, new Outcome.Failed("no", false)))).isFalse();
    assertThat(stops.takes(pause("c", SERVICE, DONE))).isTrue();
  }

  @Test
  void aStopCountsOnceItsGpusAreFreeAndOnce() {
    stops.takes(pause("c", SERVICE, DONE));
    assertThat(stops.followed(List.of())).containsExactly(SERVICE);
    assertThat(stops.followed(List.of())).isEmpty();
    assertThat(stops.givenUp("c")).isEmpty();
  }

  @Test
  void aStopThatWasGivenUpNeverCounts() {
    stops.takes(pause("c", SERVICE, DONE));
    assertThat(stops.givenUp("c")).contains(SERVICE);
    assertThat(stops.followed(List.of())).isEmpty();
  }

  @Test
  void whatStillHoldsGpusHasNotFollowed() {
    Decision holding =
        new SimWorkshop(7)
            .pruner().observe().inspection().decisions().stream()
                .filter(one -> one.assessment().workload().root().kind().equals("InferenceService"))
                .filter(one -> one.assessment().workload().gpus() > 0)
                .findFirst()
                .orElseThrow();
    ObjectId root = holding.assessment().workload().root();
    stops.takes(pause("c", root, DONE));
    assertThat(stops.followed(List.of(holding))).isEmpty();
    assertThat(stops.followed(List.of())).containsExactly(root);
  }
}
