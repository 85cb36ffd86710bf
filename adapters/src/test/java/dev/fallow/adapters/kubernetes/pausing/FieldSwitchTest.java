package dev.fallow.adapters.kubernetes.pausing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.ObjectTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FieldSwitchTest {

  private static final FieldSwitch SUSPEND =
      FieldSwitch.suspend(List.of("spec", "runPolicy", "suspend"));
  private static final ObjectTree BEFORE = object(SUSPEND.before(object(Map.of("spec", Map.of()))));

  private static ObjectTree object(Map<String, Object> fields) {
    return new ObjectTree(fields);
  }

  private static ObjectTree paused(Map<String, Object> runPolicy) {
    return object(Map.of("spec", Map.of("runPolicy", runPolicy)));
  }

  private static Map<String, Object> nulled(String key) {
    Map<String, Object> map = new HashMap<>();
    map.put(key, null);
    return map;
  }

  @Test
  void whatThePauseHadToMakeRoomInGoesWithIt() {
    assertThat(SUSPEND.turnOn(BEFORE, paused(Map.of("suspend", true))))
        .isEqualTo(Map.of("spec", nulled("runPolicy")));
  }

  @Test
  void whatSomebodyWroteThereMeanwhileStays() {
    assertThat(SUSPEND.turnOn(BEFORE, paused(Map.of("suspend", true, "cleanPodPolicy", "None"))))
        .isEqualTo(Map.of("spec", Map.of("runPolicy", nulled("suspend"))));
  }
}
