package dev.fallow.systemtests.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

import dev.fallow.rig.RigFailureReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/**
 * Some {@link Scenarios} once more, in a cluster that has no Prometheus at all: the program looks
 * at the exporter itself. Mostly waiting, so other tests go on beside it.
 */
@Tag("rig")
@Execution(CONCURRENT)
@ExtendWith(RigFailureReport.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ScrapedAutoscalingTest {

  private static final Duration LIMIT = Duration.ofSeconds(240);

  /** Two looks of an autoscaler, and what it takes to be late. */
  private static final Duration TWO_LOOKS = Duration.ofSeconds(32);

  private static final Set<String> NAMES =
      Set.of(
          "up",
          "down",
          "mean-of-four",
          "instances",
          "shared-cards",
          "one-blank",
          "of-a-deployment",
          "external",
          "the-old-average",
          "a-familys-own-name");

  @TempDir static Path folder;

  private static List<Scenario> scenarios;
  private static AutoscaleStage stage;

  @BeforeAll
  static void start() {
    stage = AutoscaleStage.withoutPrometheus(folder);
    scenarios = Scenarios.all().stream().filter(one -> NAMES.contains(one.name())).toList();
  }

  @AfterAll
  static void stop() {
    if (stage != null) {
      stage.close();
    }
  }

  @Test
  @Order(1)
  @Execution(SAME_THREAD)
  void plainAutoscalersReachWhatTheFormulaSaysWithoutAPrometheus() {
    scenarios.forEach(stage::deploy);
    await()
        .atMost(LIMIT)
        .until(() ->
            scenarios.stream()
                .allMatch(one -> stage.pods(one).size() == one.from() && stage.allRunning(one)));
    await().atMost(LIMIT).until(stage::answers);
    scenarios.forEach(stage::autoscale);

    await().atMost(LIMIT).untilAsserted(() -> assertThat(stage.astray(wanted())).isEmpty());
    await()
        .during(TWO_LOOKS)
        .atMost(TWO_LOOKS.plusSeconds(20))
        .untilAsserted(() -> assertThat(stage.astray(wanted())).isEmpty());
    assertThat(stage.published())
        .containsPattern("gpu_inuse_utilization_percent\\{[^}]*scope=\"cluster\"} \\d");
  }

  /** Nobody listens there any more; what the pods have to do would ask for other counts. */
  @Test
  @Order(2)
  @Execution(SAME_THREAD)
  void whileTheExporterIsGoneNothingIsScaled() {
    stage.stopExporter();
    scenarios.forEach(one -> stage.measure(one, one.name().equals("up") ? 400 : 0));

    await()
        .atMost(LIMIT)
        .untilAsserted(() ->
            assertThat(scenarios)
                .allSatisfy(one ->
                    assertThat(stage.condition(one, "ScalingActive"))
                        .as(one.name())
                        .isEqualTo("False")));
    assertThat(stage.astray(wanted())).isEmpty();
    assertThat(
            stage
                .api()
                .get("/apis/custom.metrics.k8s.io/v1beta2/namespaces/ml/pods/*/gpu_utilization")
                .status())
        .isEqualTo(503);

    stage.startExporter();
    Scenario up =
        scenarios.stream().filter(one -> one.name().equals("up")).findFirst().orElseThrow();
    await().atMost(LIMIT).until(() -> stage.replicas(up) == 8);
  }

  private static Map<Scenario, Integer> wanted() {
    Map<Scenario, Integer> wanted = new LinkedHashMap<>();
    scenarios.forEach(one -> wanted.put(one, one.to()));
    return wanted;
  }
}
