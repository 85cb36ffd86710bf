package dev.fallow.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.idle.Reason;
import dev.fallow.sim.Truth.Finding;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedFleetTest {

  @Test
  void theSameSeedGivesTheSameFleetAtEveryInstant() {
    SimulatedFleet one = SimulatedFleet.demo(9);
    SimulatedFleet other = SimulatedFleet.demo(9);
    for (int hours : List.of(0, 3, 30, 150)) {
      Instant at = one.start().plus(Duration.ofHours(hours));
      // Asked in another order, to show that asking leaves no trace.
      Map<String, String> late = Verdicts.truth(other, at.plus(Duration.ofDays(1)));
      assertThat(SimObjectsJson.list(one, at)).isEqualTo(SimObjectsJson.list(other, at));
      assertThat(Verdicts.truth(one, at)).isEqualTo(Verdicts.truth(other, at));
      assertThat(Verdicts.truth(one, at.plus(Duration.ofDays(1)))).isEqualTo(late);
    }
  }

  @Test
  void anotherSeedGivesOtherDevicesAndOtherHabits() {
    SimulatedFleet one = SimulatedFleet.demo(1);
    SimulatedFleet other = SimulatedFleet.demo(2);
    assertThat(one.devices().getFirst().uuid()).isNotEqualTo(other.devices().getFirst().uuid());
    Instant at = one.start();
    assertThat(SimObjectsJson.list(one, at)).isNotEqualTo(SimObjectsJson.list(other, at));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 77, -1})
  void theDemoHasSixtyFourGpusHeldByNoMorePodsThanFit(long seed) {
    SimulatedFleet fleet = SimulatedFleet.demo(seed);
    assertThat(fleet.gpus()).isEqualTo(64);
    assertThat(fleet.devices().stream().map(SimDevice::uuid).distinct()).hasSize(64);
    for (SimDevice device : fleet.devices()) {
      assertThat(fleet.holdings(device)).hasSizeLessThanOrEqualTo(device.node().sharers());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 77, -1})
  void aboutTwoFifthsOfTheGpusAreIdleInTheMorning(long seed) {
    SimulatedFleet fleet = SimulatedFleet.demo(seed);
    for (int minutes : List.of(0, 20, 40, 60, 120)) {
      Instant at = fleet.start().plus(Duration.ofMinutes(minutes));
      assertThat(64 - workingCards(fleet, at)).as("after %d min", minutes).isBetween(22, 29);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 77, -1})
  void verdictsChangeWithinTheFirstHour(long seed) {
    SimulatedFleet fleet = SimulatedFleet.demo(seed);
    Map<String, Finding> last = findings(fleet, fleet.start());
    Set<String> wentIdle = new HashSet<>();
    Set<String> cameBack = new HashSet<>();
    for (int minute = 1; minute <= 60; minute++) {
      Map<String, Finding> now = findings(fleet, fleet.start().plus(Duration.ofMinutes(minute)));
      for (String workload : now.keySet()) {
        Finding before = last.get(workload);
        if (before == Finding.BUSY && now.get(workload) == Finding.IDLE) {
          wentIdle.add(workload);
        }
        if (before == Finding.IDLE && now.get(workload) == Finding.BUSY) {
          cameBack.add(workload);
        }
      }
      last = now;
    }
    assertThat(wentIdle).hasSizeGreaterThanOrEqualTo(3);
    assertThat(cameBack).contains("Deployment/speech/tts");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 77})
  void theStartShowsEveryKindOfVerdict(long seed) {
    SimulatedFleet fleet = SimulatedFleet.demo(seed);
    Set<Reason> reasons =
        fleet.truth(fleet.start()).stream().map(Truth::reason).collect(Collectors.toSet());
    assertThat(reasons)
        .contains(
            Reason.PARTLY_BUSY,
            Reason.GPU_ACTIVE,
            Reason.RECENTLY_STARTED,
            Reason.ROLLING_OUT,
            Reason.SERIES_MISSING,
            Reason.COVERAGE_TOO_LOW,
            Reason.SHARED_GPU,
            Reason.ALL_GPUS_IDLE);
  }

  @Test
  void everyKindOfOwnerIsInTheDemo() {
    assertThat(SimulatedFleet.demo(1).workloads().stream().map(SimWorkload::kind))
        .contains(OwnerKind.values());
  }

  @Test
  void theDemoMayBeginAtAnyMoment() {
    Instant start = Instant.parse("2027-03-27T23:11:07Z");
    SimulatedFleet fleet = SimulatedFleet.demo(1, start);
    assertThat(fleet.start()).isEqualTo(start);
    assertThat(findings(fleet, start)).containsEntry("Deployment/nlp/summarizer", Finding.IDLE);
    assertThat(findings(fleet, start)).containsEntry("Notebook/research/protein-lab", Finding.BUSY);
  }

  @Test
  void aSizedFleetHasAsManyPodsAsAskedFor() {
    for (int pods : List.of(1, 999, 10_000)) {
      SimulatedFleet fleet = SimulatedFleet.sized(3, pods);
      assertThat(fleet.pods(fleet.start())).hasSize(pods);
    }
  }

  private static Map<String, Finding> findings(SimulatedFleet fleet, Instant at) {
    Map<String, Finding> findings = new TreeMap<>();
    fleet.truth(at).forEach(truth -> findings.put(truth.workload().toString(), truth.finding()));
    return findings;
  }

  private static int workingCards(SimulatedFleet fleet, Instant at) {
    Set<String> working = new HashSet<>();
    for (SimDevice device : fleet.devices()) {
      long until = at.toEpochMilli();
      long[] looks =
          device.node().exporter().looks(until - Duration.ofMinutes(30).toMillis(), until);
      if (Arrays.stream(looks).anyMatch(look -> fleet.work(device, look).active())) {
        working.add(device.uuid());
      }
    }
    return working.size();
  }
}
