package dev.fallow.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.acknowledge.Keep;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a change brings a workload to, in the form in which a look would show it. */
class WorkloadItemTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final Keep KEEP = new Keep(NOON.plusSeconds(3600), "alice", "demo");

  private static WorkloadItem idle(String reason, String action) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("state", "IDLE");
    fields.put("verdict", "IDLE");
    fields.put("reason", reason);
    fields.put("action", action);
    fields.put("idleSince", NOON);
    fields.put("costPerHour", 4.1);
    fields.put("pausesAt", NOON);
    return new WorkloadItem(
        "Deployment/ml/trainer",
        "ml",
        "Deployment",
        "trainer",
        "IDLE",
        "IDLE",
        "",
        4.1,
        4.1,
        8,
        OptionalDouble.of(0),
        Optional.of(NOON),
        fields);
  }

  @ParameterizedTest
  @CsvSource({
    "ALL_GPUS_IDLE,PAUSE,ACKNOWLEDGED,KEEP",
    "BUDGET_SPENT,NONE,ACKNOWLEDGED,KEEP",
    "EXEMPT,NONE,EXEMPT,NONE",
    "KIND_DISABLED,NONE,KIND_DISABLED,NONE"
  })
  void aKeepIsTheReasonUnlessAnotherIsGivenBeforeIt(
      String reason, String action, String then, String does) {
    WorkloadItem kept = idle(reason, action).kept(KEEP);
    assertThat(kept.state()).isEqualTo("KEPT");
    assertThat(kept.verdict()).isEqualTo("IDLE");
    assertThat(kept.fields())
        .containsEntry("reason", then)
        .containsEntry("action", does)
        .containsKey("keep")
        .doesNotContainKey("pausesAt");
  }

  @Test
  void anEndedKeepLeavesNoTrace() {
    WorkloadItem free = idle("ALL_GPUS_IDLE", "PAUSE").kept(KEEP).notKept();
    assertThat(free.state()).isEqualTo("IDLE");
    assertThat(free.fields()).containsEntry("reason", "ALL_GPUS_IDLE").doesNotContainKey("keep");
    assertThat(free.fields().values().toString()).doesNotContain("kept until 2", "alice");
  }

  @Test
  void theEvidenceOfTheLastLookBearsTheVerdictOfTheChangeSince() {
    WorkloadItem seen = idle("ALL_GPUS_IDLE", "PAUSE");
    Map<String, Object> evidence = Map.of("reason", "ALL_GPUS_IDLE", "pods", 3, "next", "a pause");

    assertThat(seen.since(evidence)).isEqualTo(evidence);
    assertThat(seen.kept(KEEP).since(evidence))
        .containsEntry("reason", "ACKNOWLEDGED")
        .containsEntry("action", "KEEP")
        .containsEntry("sentence", "kept until 2026-11-02T13:00:00Z by alice (demo)")
        .containsEntry("pods", 3)
        .doesNotContainEntry("next", "a pause");
  }

  @Test
  void ofAPausedOneNothingIsKnownAndItCostsNothing() {
    WorkloadItem paused = idle("ALL_GPUS_IDLE", "PAUSE").paused(NOON, "alice", "Paused: by hand.");
    assertThat(paused.state()).isEqualTo("PAUSED");
    assertThat(paused.verdict()).isEqualTo("UNKNOWN");
    assertThat(paused.costPerHour()).isZero();
    assertThat(paused.fields())
        .containsEntry("verdict", "UNKNOWN")
        .containsEntry("reason", "PAUSED_ALREADY")
        .containsEntry("costPerHour", 0)
        .containsKey("pause")
        .doesNotContainKeys("idleSince", "pausesAt");
  }

  @Test
  void ofAResumedOneNobodyKnowsYetWhatItDoes() {
    WorkloadItem resumed =
        idle("ALL_GPUS_IDLE", "PAUSE").paused(NOON, "alice", "by hand").resumed();
    assertThat(resumed.state()).isEqualTo("UNKNOWN");
    assertThat(resumed.verdict()).isEqualTo("UNKNOWN");
    assertThat(resumed.fields())
        .containsEntry("verdict", "UNKNOWN")
        .containsEntry("reason", "RECENTLY_STARTED")
        .doesNotContainKey("pause");
  }
}
