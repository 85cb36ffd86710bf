package dev.fallow.adapters.kubernetes.pausing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.kubernetes.pausing.Switch.UnreadableRecord;
import dev.fallow.core.fleet.ObjectTree;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SwitchesTest {

  private static final Instant AT = Instant.parse("2026-11-02T12:00:00.123Z");
  private static final FieldSwitch REPLICAS = FieldSwitch.replicas(List.of("spec", "replicas"));
  private static final FieldSwitch RUN_POLICY =
      FieldSwitch.suspend(List.of("spec", "runPolicy", "suspend"));
  private static final AnnotationSwitch STOPPED =
      AnnotationSwitch.present("stopped", Instant::toString);

  @Test
  void aCountThatWasThereComesBack() {
    ObjectTree live = tree(Map.of("spec", Map.of("replicas", 3L)));
    assertThat(REPLICAS.turnOff(AT)).isEqualTo(Map.of("spec", Map.of("replicas", 0L)));
    assertThat(REPLICAS.turnOn(tree(REPLICAS.before(live))))
        .isEqualTo(Map.of("spec", Map.of("replicas", 3L)));
  }

  @Test
  void aCountThatWasAbsentIsTakenAwayAgain() {
    ObjectTree live = tree(Map.of("spec", Map.of()));
    assertThat(REPLICAS.turnOn(tree(REPLICAS.before(live))))
        .isEqualTo(Map.of("spec", Collections.singletonMap("replicas", null)));
  }

  @Test
  void whatTheFieldLiesInIsTakenAwayIfItWasAbsentToo() {
    ObjectTree live = tree(Map.of("spec", Map.of("other", 1L)));
    assertThat(RUN_POLICY.turnOn(tree(RUN_POLICY.before(live))))
        .isEqualTo(Map.of("spec", Collections.singletonMap("runPolicy", null)));
  }

  @Test
  void aFalseThatWasWrittenComesBackAsFalse() {
    ObjectTree live = tree(Map.of("spec", Map.of("runPolicy", Map.of("suspend", false))));
    assertThat(RUN_POLICY.turnOn(tree(RUN_POLICY.before(live))))
        .isEqualTo(Map.of("spec", Map.of("runPolicy", Map.of("suspend", false))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"banana", "-1", "0", "9223372036854775807", "2147483648", "1.5", ""})
  void aCountThatSomebodyWroteOverIsNotBelieved(String count) {
    Map<String, Object> before = new HashMap<>();
    before.put("replicas", count);
    assertThatThrownBy(() -> REPLICAS.turnOn(tree(before))).isInstanceOf(UnreadableRecord.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"spec/template", "metadata", "", "spec/runPolicy/suspend", "spec/runPolicy/x/y"})
  void aRecordCannotBeMadeToTakeAwaySomethingElse(String absent) {
    assertThatThrownBy(() -> RUN_POLICY.turnOn(tree(Map.of("absent", absent))))
        .isInstanceOf(UnreadableRecord.class);
  }

  @Test
  void anothersLockCountsAsOffWhateverItSays() {
    ObjectTree locked =
        tree(Map.of("metadata", Map.of("annotations", Map.of("stopped", "controller-lock"))));
    assertThat(STOPPED.isOff(locked)).isTrue();
  }

  @Test
  void onlyTheStopThatWeWroteIsOursToTakeAway() {
    ObjectTree locked =
        tree(Map.of("metadata", Map.of("annotations", Map.of("stopped", "controller-lock"))));
    ObjectTree ours =
        tree(Map.of("metadata", Map.of("annotations", Map.of("stopped", AT.toString()))));
    assertThat(STOPPED.heldByOthers(locked, Optional.of(AT))).hasValue("stopped: controller-lock");
    assertThat(STOPPED.heldByOthers(ours, Optional.of(AT.plusSeconds(1)))).isPresent();
    assertThat(STOPPED.heldByOthers(ours, Optional.empty())).isPresent();
    assertThat(STOPPED.heldByOthers(ours, Optional.of(AT))).isEmpty();
    assertThat(STOPPED.heldByOthers(tree(Map.of()), Optional.of(AT))).isEmpty();
  }

  @Test
  void anEarlierValueOfAnAnnotationComesBack() {
    Switch keda = Switches.SCALED_OBJECT;
    String key = "autoscaling.keda.sh/paused-replicas";
    ObjectTree live = tree(Map.of("metadata", Map.of("annotations", Map.of(key, "7"))));
    assertThat(keda.isOff(live)).isFalse();
    assertThat(keda.turnOn(tree(keda.before(live))))
        .isEqualTo(Map.of("metadata", Map.of("annotations", Map.of(key, "7"))));
  }

  private static ObjectTree tree(Map<String, Object> fields) {
    return new ObjectTree(fields);
  }
}
