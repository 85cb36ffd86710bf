package dev.fallow.core.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.HpaFormula.Count;
import dev.fallow.core.autoscale.HpaFormula.PodValue;
import dev.fallow.core.autoscale.HpaFormula.Tolerance;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HpaFormulaTest {

  /**
   * Values apart by spaces; {@code ?} is a missing one, {@code p} a pending pod, {@code x} a failed
   * one.
   */
  private static List<PodValue> pods(String written) {
    List<PodValue> pods = new ArrayList<>();
    for (String word : written.split(" ")) {
      pods.add(
          switch (word) {
            case "?" -> new PodValue("", Count.RUNNING, OptionalLong.empty());
            case "p" -> new PodValue("", Count.PENDING, OptionalLong.empty());
            case "x" -> new PodValue("", Count.IGNORED, OptionalLong.of(1_000_000));
            default ->
                new PodValue(
                    "", Count.RUNNING, OptionalLong.of(HpaFormula.milli(Double.parseDouble(word))));
          });
    }
    return pods;
  }

  @ParameterizedTest
  @CsvSource({
    // values, current, target, desired
    "90 90, 2, 60, 3",
    "90 90 90, 3, 60, 5",
    "30 30 30 30, 4, 60, 2",
    "0 0, 2, 60, 0",
    "64 64, 2, 60, 2",
    "66 66, 2, 60, 2",
    "67 67, 2, 60, 3",
    "55 55, 2, 60, 2",
    "53 53, 2, 60, 2",
    "20 40, 2, 60, 1",
    // a missing pod is idle on the way up, just right on the way down
    "90 90 ?, 3, 60, 3",
    "180 180 ?, 3, 60, 6",
    "10 10 ?, 3, 60, 2",
    "10 ? ?, 3, 60, 3",
    // a pending pod counts as idle on the way up, and not at all on the way down
    "90 90 p, 3, 60, 3",
    "180 180 p, 3, 60, 6",
    "20 20 p, 3, 60, 1",
    // what has failed or is being deleted does not count
    "90 90 x, 3, 60, 3",
    "12.3456 12.3456, 2, 6, 5",
  })
  void podsFollowThePublishedFormula(String values, int current, int target, int desired) {
    assertThat(HpaFormula.ofPods(pods(values), current, 1000L * target, Tolerance.USUAL))
        .hasValue(desired);
  }

  @Test
  void withoutAnyNumberThereIsNoProposal() {
    assertThat(HpaFormula.ofPods(pods("? ? p"), 3, 60_000, Tolerance.USUAL)).isEmpty();
    assertThat(HpaFormula.ofPods(pods("x"), 3, 60_000, Tolerance.USUAL)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    // value, target, current, ready, desired
    "90, 60, 2, 2, 3",
    "90, 60, 4, 2, 3",
    "65, 60, 4, 4, 4",
    "30, 60, 4, 4, 2",
    "1, 60, 4, 4, 1",
    "7, 5, 0, 0, 2",
    "0, 5, 0, 0, 0",
  })
  void aValueIsComparedAsItIs(int value, int target, int current, int ready, int desired) {
    assertThat(HpaFormula.ofValue(1000L * value, 1000L * target, current, ready, Tolerance.USUAL))
        .isEqualTo(desired);
  }

  @ParameterizedTest
  @CsvSource({"100, 10, 5, 10", "54, 10, 5, 5", "56, 10, 5, 6", "20, 10, 5, 2", "0, 10, 5, 0"})
  void anAverageValueIsSharedOut(int value, int target, int replicas, int desired) {
    assertThat(HpaFormula.ofAverageValue(1000L * value, 1000L * target, replicas, Tolerance.USUAL))
        .isEqualTo(desired);
  }

  @Test
  void theToleranceOfADirectionIsItsOwn() {
    Tolerance eager = new Tolerance(0, 0.5);

    assertThat(HpaFormula.ofPods(pods("61 61"), 2, 60_000, eager)).hasValue(3);
    assertThat(HpaFormula.ofPods(pods("31 31"), 2, 60_000, eager)).hasValue(2);
  }

  @Test
  void theGreatestProposalWinsWithinTheBounds() {
    assertThat(HpaFormula.together(List.of(OptionalInt.of(3), OptionalInt.of(7)), 2, 1, 10))
        .hasValue(7);
    assertThat(HpaFormula.together(List.of(OptionalInt.of(30)), 2, 1, 10)).hasValue(10);
    assertThat(HpaFormula.together(List.of(OptionalInt.of(0)), 2, 1, 10)).hasValue(1);
  }

  @Test
  void aMetricWithoutANumberForbidsToScaleDownAndNotUp() {
    assertThat(HpaFormula.together(List.of(OptionalInt.of(1), OptionalInt.empty()), 4, 1, 10))
        .isEmpty();
    assertThat(HpaFormula.together(List.of(OptionalInt.of(8), OptionalInt.empty()), 4, 1, 10))
        .hasValue(8);
    assertThat(HpaFormula.together(List.of(OptionalInt.empty()), 4, 1, 10)).isEmpty();
  }
}
