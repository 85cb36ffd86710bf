package dev.fallow.core.idle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.GpuPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What holds of every fleet, tried on thousands of random ones. A failure names its seed. */
class JudgePropertiesTest {

  private static final int TRIES = 10_000;

  @Test
  void theRandomFleetsShowEveryVerdict() {
    List<String> seen = new ArrayList<>();
    for (long seed = 0; seed < 500; seed++) {
      new RandomFleet(seed)
          .verdicts()
          .values()
          .forEach(verdict -> seen.add(verdict.reason().name()));
    }
    assertThat(seen)
        .contains(
            "PARTLY_BUSY",
            "GPU_ACTIVE",
            "RECENTLY_STARTED",
            "ROLLING_OUT",
            "SERIES_MISSING",
            "COVERAGE_TOO_LOW",
            "SHARED_GPU",
            "ALL_GPUS_IDLE");
  }

  @Test
  void addingBusyEvidenceNeverMakesAWorkloadIdle() {
    for (long seed = 0; seed < TRIES; seed++) {
      RandomFleet fleet = new RandomFleet(seed);
      Map<String, Verdict> before = fleet.verdicts();
      if (fleet.lines.isEmpty()) {
        continue;
      }
      RandomFleet.Line line = fleet.lines.get(fleet.random.nextInt(fleet.lines.size()));
      long when = RandomFleet.AT.toEpochMilli() - fleet.random.nextInt(600_000);
      line.samples.put(when, line.labels.signal() == Signal.GPU_UTIL ? 80f : 0.8f);
      assertNothingTurnedIdle(before, fleet.verdicts(), seed);
    }
  }

  /** The first promise: one active moment of one GPU, seen by one series, is enough. */
  @Test
  void aWorkloadWithAGpuThatWasActiveInTheWindowIsNeverIdle() {
    int tried = 0;
    for (long seed = 0; seed < TRIES; seed++) {
      RandomFleet fleet = new RandomFleet(seed);
      if (fleet.lines.isEmpty()) {
        continue;
      }
      RandomFleet.Line line = fleet.lines.get(fleet.random.nextInt(fleet.lines.size()));
      GpuPod pod =
          fleet.pods.stream()
              .filter(one -> one.id().name().equals(line.pod))
              .findFirst()
              .orElseThrow();
      long windowStart = RandomFleet.AT.minus(fleet.window).toEpochMilli();
      long from = Math.max(windowStart, pod.started().orElseThrow().toEpochMilli());
      long room = RandomFleet.AT.toEpochMilli() - from;
      if (!pod.live() || room < 2) {
        continue;
      }
      long when = from + 1 + fleet.random.nextLong(room - 1);
      line.samples.put(when, line.labels.signal() == Signal.GPU_UTIL ? 80f : 0.8f);
      String owner = pod.controllers().getFirst().name();
      fleet.assessments(1).stream()
          .filter(one -> one.workload().root().name().equals(owner))
          .forEach(one ->
              assertThat(one.verdict())
                  .as("seed %d: %s", fleet.seed, one.workload().root())
                  .isNotInstanceOf(Verdict.Idle.class));
      tried++;
    }
    assertThat(tried).isGreaterThan(TRIES / 2);
  }

  @Test
  void removingStillSamplesNeverMakesAWorkloadIdle() {
    int held = 0;
    for (long seed = 0; held < TRIES; seed++) {
      RandomFleet fleet = new RandomFleet(seed);
      Map<String, Verdict> before = fleet.verdicts();
      Map<String, Long> spacings = fleet.spacings();
      for (RandomFleet.Line line : fleet.lines) {
        IdleRule rule = fleet.rule(1);
        line.samples
            .entrySet()
            .removeIf(sample ->
                !busy(rule, line.labels.signal(), sample.getValue())
                    && fleet.random.nextInt(12) == 0);
      }
      if (fleet.spacings().equals(spacings)) {
        held++;
        assertNothingTurnedIdle(before, fleet.verdicts(), seed);
      }
    }
  }

  /** Of the time that was not read, what shows activity may be what is missing. */
  @Test
  void whoIsJudgedByMoreThanWasReadIsNeverIdle() {
    int held = 0;
    for (long seed = 0; seed < 500; seed++) {
      RandomFleet fleet = new RandomFleet(seed);
      Map<String, Verdict> whole = fleet.verdicts();
      assertThat(fleet.verdictsOfWhatReaches(fleet.window)).as("seed %d", seed).isEqualTo(whole);
      for (Map.Entry<String, Verdict> less :
          fleet.verdictsOfWhatReaches(fleet.window.minusMillis(1)).entrySet()) {
        Verdict before = whole.get(less.getKey());
        if (before instanceof Verdict.Idle) {
          held++;
          assertThat(less.getValue().reason())
              .as("seed %d", seed)
              .isEqualTo(Reason.COVERAGE_TOO_LOW);
        } else {
          assertThat(less.getValue().name()).as("seed %d", seed).isEqualTo(before.name());
        }
      }
    }
    assertThat(held).isGreaterThan(100);
  }

  @Test
  void theOrderOfInputNeverMatters() {
    for (long seed = 0; seed < TRIES; seed++) {
      RandomFleet fleet = new RandomFleet(seed);
      assertThat(fleet.shuffledVerdicts(seed + 1)).as("seed %d", seed).isEqualTo(fleet.verdicts());
    }
  }

  @Test
  void scalingAllTimesAndTheWindowTogetherChangesNothing() {
    for (long seed = 0; seed < TRIES; seed++) {
      RandomFleet fleet = new RandomFleet(seed);
      Map<String, String> once = names(RandomFleet.byName(fleet.assessments(1)));
      Map<String, String> thrice = names(RandomFleet.byName(fleet.assessments(3)));
      assertThat(thrice).as("seed %d", seed).isEqualTo(once);
    }
  }

  private static boolean busy(IdleRule rule, Signal signal, float value) {
    return signal.possible(value) && rule.active(signal, value);
  }

  private static void assertNothingTurnedIdle(
      Map<String, Verdict> before, Map<String, Verdict> after, long seed) {
    after.forEach((workload, verdict) -> {
      if (verdict instanceof Verdict.Idle) {
        assertThat(before.get(workload))
            .as("seed %d, %s", seed, workload)
            .isInstanceOf(Verdict.Idle.class);
      }
    });
  }

  private static Map<String, String> names(Map<String, Verdict> verdicts) {
    Map<String, String> names = new java.util.TreeMap<>();
    verdicts.forEach((workload, verdict) -> names.put(workload, verdict.reason().name()));
    return names;
  }
}
