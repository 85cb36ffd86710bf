package dev.fallow.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSource;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GroundTruthTest {

  @Test
  void theJudgeAgreesWithTheTruthThroughAWholeWeek() {
    SimulatedFleet fleet = SimulatedFleet.demo(1);
    UsageSource source = new SimUsageSource(fleet);
    Instant end = fleet.start().plus(Duration.ofDays(7));
    // 155 minutes and a bit: every hour of the day and every second of the minute is met.
    for (Instant at = fleet.start(); at.isBefore(end); at = at.plusMillis(9_314_821)) {
      agree(fleet, source, at);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {2, 3, 42, -7, Long.MAX_VALUE})
  void theJudgeAgreesWithTheTruthWhateverTheSeed(long seed) {
    SimulatedFleet fleet = SimulatedFleet.demo(seed);
    UsageSource source = new SimUsageSource(fleet);
    for (int i = 0; i < 7; i++) {
      agree(fleet, source, fleet.start().plus(Duration.ofMinutes(9L * i)));
      agree(fleet, source, fleet.start().plus(Duration.ofSeconds(86_033L * i)));
    }
  }

  @ParameterizedTest
  @EnumSource(value = LabelForm.class, names = "VIRTUAL_PROCESSES", mode = EnumSource.Mode.EXCLUDE)
  void everyLabelFormGivesTheSameVerdicts(LabelForm form) {
    SimulatedFleet fleet = SimulatedFleet.demo(5);
    UsageSource source = new SimUsageSource(fleet, form);
    for (int i = 0; i < 4; i++) {
      agree(fleet, source, fleet.start().plus(Duration.ofMinutes(131L * i)));
    }
  }

  @Test
  void anExporterThatSeesProcessesTellsWhoUsesASharedCard() {
    SimulatedFleet fleet = SimulatedFleet.demo(5);
    UsageSource source = new SimUsageSource(fleet, LabelForm.VIRTUAL_PROCESSES);
    for (int i = 0; i < 4; i++) {
      Instant at = fleet.start().plus(Duration.ofMinutes(131L * i));
      assertThat(Verdicts.found(fleet, source, at))
          .isEqualTo(Verdicts.truth(fleet, at, LabelForm.VIRTUAL_PROCESSES))
          .containsEntry("StatefulSet/research/course-lab", "BUSY PARTLY_BUSY NONE")
          .containsEntry("Deployment/research/course-grader", "IDLE ALL_GPUS_IDLE PAUSE");
      assertThat(Verdicts.truth(fleet, at))
          .containsEntry("Deployment/research/course-grader", "UNKNOWN SHARED_GPU NONE");
    }
  }

  @Test
  void noiseChangesNoVerdict() {
    SimulatedFleet fleet = SimulatedFleet.demo(6);
    UsageSource source =
        new SimUsageSource(
            fleet, LabelForm.EXPORTED, EnumSet.allOf(Signal.class), Noise.NOW_AND_THEN);
    for (int i = 0; i < 12; i++) {
      agree(fleet, source, fleet.start().plus(Duration.ofMinutes(59L * i)));
    }
  }

  @Test
  void theExporterThatIsAwayForAWhileLeavesWorkloadsUnknownAndThenNot() {
    SimulatedFleet fleet = SimulatedFleet.demo(1);
    UsageSource source = new SimUsageSource(fleet);
    for (int i = 0; i < 25; i++) {
      agree(fleet, source, fleet.start().plus(Duration.ofMinutes(178).plusSeconds(97L * i)));
    }
  }

  @Test
  void theJudgeAgreesOnALargerFleet() {
    SimulatedFleet fleet = SimulatedFleet.sized(1, 1000);
    agree(fleet, new SimUsageSource(fleet), fleet.start().plus(Duration.ofMinutes(10)));
  }

  private static void agree(SimulatedFleet fleet, UsageSource source, Instant at) {
    Map<String, String> found = Verdicts.found(fleet, source, at);
    assertThat(found).as("at %s, seed %d", at, fleet.seed()).isEqualTo(Verdicts.truth(fleet, at));
  }
}
