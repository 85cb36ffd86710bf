package dev.fallow.app.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import org.junit.jupiter.api.Test;

/** Others have their turn while a workload that cannot be changed rests. */
class RestsTest {

  private static final Outcome FORBIDDEN = new Outcome.Failed("may not patch it", false);

  private final Rests rests = new Rests();

  private int cyclesUntilTriedAgain() {
    int cycles = 0;
    while (!rests.refusals().isEmpty()) {
      rests.cycle();
      cycles++;
    }
    return cycles;
  }

  @Test
  void whatCannotBeWrittenRestsAndEachTimeTwiceAsLongUpToALimit() {
    rests.after("a", FORBIDDEN);
    assertThat(rests.refusals().get("a").reason()).isEqualTo(RefusalReason.WRITE_FAILED);
    int first = cyclesUntilTriedAgain();
    rests.after("a", FORBIDDEN);
    assertThat(cyclesUntilTriedAgain()).isEqualTo(2 * first);
    for (int i = 0; i < 10; i++) {
      rests.after("a", FORBIDDEN);
      assertThat(cyclesUntilTriedAgain()).isLessThanOrEqualTo(16 * first);
    }
  }

  @Test
  void whatThereIsNothingToWriteForRestsToo() {
    rests.after(
        "a", new Outcome.Refused(new Refusal(RefusalReason.NO_SCALABLE_OWNER, "no such kind")));
    assertThat(rests.refusals()).containsOnlyKeys("a");
  }

  @Test
  void whoWasOnlyTooLateOrIsWithoutAnAnswerIsTriedInTheNextCycle() {
    rests.after(
        "a", new Outcome.Refused(new Refusal(RefusalReason.CHANGED_MEANWHILE, "somebody was")));
    rests.after("b", new Outcome.Failed("no answer", true));
    assertThat(rests.refusals()).isEmpty();
  }

  @Test
  void whatLayAtTheMomentRestsForOneCycleAndMakesNoRestLongerOrShorter() {
    Outcome busy = new Outcome.Failed("the API server has too much to do", false, true);
    for (int i = 0; i < 5; i++) {
      rests.after("a", busy);
      assertThat(cyclesUntilTriedAgain()).isEqualTo(1);
    }
    rests.after("a", FORBIDDEN);
    int first = cyclesUntilTriedAgain();
    assertThat(first).isGreaterThan(1);
    rests.after("a", busy);
    assertThat(cyclesUntilTriedAgain()).isEqualTo(1);
    rests.after("a", FORBIDDEN);
    assertThat(cyclesUntilTriedAgain()).isEqualTo(2 * first);
  }

  @Test
  void aChangeThatIsMadeEndsTheRest() {
    rests.after("a", FORBIDDEN);
    rests.after("a", new Outcome.Done("paused"));
    assertThat(rests.has("a")).isFalse();
  }
}
