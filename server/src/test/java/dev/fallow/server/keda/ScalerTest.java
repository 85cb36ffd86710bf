package dev.fallow.server.keda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScalerTest {

  private final AskedBook book = new AskedBook();
  private final Scaler scaler = new Scaler(book, () -> AskedBook.NOW);

  private static ScaledObject asking(String... more) {
    Map<String, String> metadata = new HashMap<>();
    metadata.put("scalerAddress", "fallow-keda.fallow-system.svc:9443");
    metadata.put("metricName", "gpu_utilization");
    metadata.put("name", "web");
    metadata.put("targetValue", "60");
    for (int i = 0; i < more.length; i += 2) {
      metadata.put(more[i], more[i + 1]);
    }
    metadata.values().removeIf(String::isEmpty);
    return new ScaledObject("web-gpus", "ml", metadata);
  }

  private static MetricsRequest metrics(String... more) {
    ScaledObject of = asking(more);
    return new MetricsRequest(of, of.metadata().getOrDefault("metricName", ""));
  }

  private Refused refusal(ScaledObject asked) {
    return catchThrowableOfType(Refused.class, () -> scaler.active(asked));
  }

  @Test
  void aDeploymentsNumberIsTheOneOfTheMetricsApi() {
    book.number(72.5);
    assertThat(scaler.value(metrics())).isEqualTo(new ScaleReply.Value("gpu_utilization", 72.5));
    assertThat(book.asked).containsExactly("deployments.apps ml/web gpu_utilization 0");
  }

  @ParameterizedTest
  @CsvSource({
    "StatefulSet, statefulsets.apps",
    "InferenceService, inferenceservices.serving.kserve.io",
    "LeaderWorkerSet, leaderworkersets.leaderworkerset.x-k8s.io",
    "rollouts.argoproj.io, rollouts.argoproj.io",
    "Service, services.",
    "Pod, pods."
  })
  void anyKindOfTheMetricsApiCanBeAsked(String kind, String resource) {
    book.number(1);
    scaler.value(metrics("kind", kind));
    assertThat(book.asked).containsExactly(resource + " ml/web gpu_utilization 0");
  }

  @Test
  void aNamespaceIsTheScaledObjectsOwn() {
    book.number(1);
    scaler.value(metrics("kind", "Namespace", "name", ""));
    assertThat(book.asked).containsExactly("namespaces. /ml gpu_utilization 0");
  }

  @Test
  void numbersOfNoObjectAreAddedUpAsAnAutoscalerDoes() {
    book.series(3, 4);
    assertThat(
            scaler.value(
                metrics("kind", "External", "name", "", "metricName", "vllm:num_requests_waiting")))
        .isEqualTo(new ScaleReply.Value("vllm:num_requests_waiting", 7));
    assertThat(book.asked).containsExactly("external ml vllm:num_requests_waiting 0");
  }

  @Test
  void aSelectorReachesTheBook() {
    book.number(1);
    scaler.value(metrics("selector", "modelName=A100,window=2m"));
    assertThat(book.asked).containsExactly("deployments.apps ml/web gpu_utilization 2");
  }

  @Test
  void aTargetNeedsNoNumber() {
    assertThat(scaler.target(asking("targetValue", "2.5")))
        .isEqualTo(new ScaleReply.Target("gpu_utilization", 2.5));
    assertThat(book.asked).isEmpty();
  }

  @Test
  void aNameIsSpelledAsAPartOfAPathAndFoundAgain() {
    book.number(4);
    ScaledObject asked = asking("metricName", "vllm:num_requests_waiting");
    String spelled = scaler.target(asked).metric();
    assertThat(spelled).isEqualTo("vllm-num_requests_waiting");
    assertThat(scaler.value(new MetricsRequest(asked, spelled)))
        .isEqualTo(new ScaleReply.Value(spelled, 4));
    assertThat(book.asked).containsExactly("deployments.apps ml/web vllm:num_requests_waiting 0");
  }

  @Test
  void anotherMetricThanTheTriggersIsNotAnswered() {
    book.number(1);
    Refused refused =
        catchThrowableOfType(
            Refused.class, () -> scaler.value(new MetricsRequest(asking(), "gpu_power_watts")));
    assertThat(refused.reason()).isEqualTo(Refused.Reason.INVALID);
    assertThat(book.asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"0, '', false", "0.001, '', true", "5, 5, false", "5.1, 5, true"})
  void thereIsWorkWhereTheNumberIsAboveTheActivation(
      double value, String activation, boolean active) {
    book.number(value);
    assertThat(scaler.active(asking("activationValue", activation)).active()).isEqualTo(active);
  }

  @Test
  void aZeroThatWasMeasuredIsAZero() {
    book.number(0);
    assertThat(scaler.value(metrics()).value()).isZero();
  }

  @Test
  void whatWasNotMeasuredIsNeitherZeroNorInactive() {
    book.missing("none of the GPU pods of deployments/web is ready");
    Refused refused = refusal(asking());
    assertThat(refused.reason()).isEqualTo(Refused.Reason.NOT_MEASURED);
    assertThat(refused.sentence()).contains("none of the GPU pods");
    assertThat(catchThrowableOfType(Refused.class, () -> scaler.value(metrics())).reason())
        .isEqualTo(Refused.Reason.NOT_MEASURED);
  }

  @Test
  void aSourceThatIsAwayIsNeitherZeroNorInactive() {
    book.away();
    assertThat(refusal(asking()).reason()).isEqualTo(Refused.Reason.AWAY);
  }

  @Test
  void aBookThatFailsIsAway() {
    book.broken = true;
    assertThat(refusal(asking()).reason()).isEqualTo(Refused.Reason.AWAY);
  }

  @Test
  void anEmptyAnswerIsNoZero() {
    book.series();
    assertThat(refusal(asking("kind", "External", "name", "")).reason())
        .isEqualTo(Refused.Reason.NOT_MEASURED);
  }

  @ParameterizedTest
  @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e17})
  void aValueThatKedaCannotHoldIsNotTold(double value) {
    book.number(value);
    assertThat(refusal(asking()).reason()).isEqualTo(Refused.Reason.NOT_MEASURED);
  }

  @Test
  void anotherNamespaceIsRefused() {
    book.number(1);
    Refused refused = refusal(asking("namespace", "secret"));
    assertThat(refused.reason()).isEqualTo(Refused.Reason.INVALID);
    assertThat(refused.sentence()).contains("namespace").contains("leave it out");
    assertThat(book.asked).isEmpty();
    assertThat(scaler.active(asking("namespace", "ml")).active()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "metricName, '', is missing",
    "name, '', is missing",
    "targetValue, '', is missing",
    "targetValue, sixty, has to be a number",
    "targetValue, 0, 0.001 or more",
    "targetValue, -1, has to be a number",
    "targetValue, NaN, has to be a number",
    "targetValue, 1e3, has to be a number",
    "activationValue, some, has to be a number",
    "kind, Rollout, rollouts.argoproj.io",
    "kind, ../nodes, rollouts.argoproj.io",
    "selector, 'a=(', cannot be read",
    "targetvalue, 5, write it targetValue",
    "Selector, 'a=b', write it selector"
  })
  void whatIsWrittenWrongIsNamedWithItsCure(String key, String value, String cure) {
    book.number(1);
    Refused refused = refusal(asking(key, value));
    assertThat(refused.reason()).isEqualTo(Refused.Reason.INVALID);
    assertThat(refused.sentence()).contains(key).contains(cure);
    assertThat(book.asked).isEmpty();
  }

  @Test
  void aNameWithAKindThatHasNoneIsRefused() {
    assertThat(refusal(asking("kind", "External")).sentence()).contains("name means nothing");
  }

  @Test
  void aTextWithoutEndIsRefused() {
    assertThat(refusal(asking("name", "x".repeat(1000))).sentence()).contains("300 characters");
  }

  @Test
  void aRequestWithoutANamespaceIsRefused() {
    ScaledObject nowhere = new ScaledObject("web", "", asking().metadata());
    assertThat(refusal(nowhere).reason()).isEqualTo(Refused.Reason.INVALID);
  }

  @Test
  void theExampleIsATriggerThatIsUnderstood() throws IOException {
    Path example =
        Path.of(System.getProperty("fallow.root", "."), "deploy/examples/keda/scaledobject.yaml");
    String trigger =
        Files.readString(example).split("    metadata:\n")[1].split("    authenticationRef:")[0];
    Map<String, String> metadata = new HashMap<>();
    for (String line : trigger.lines().toList()) {
      String[] parts = line.strip().split(": ", 2);
      metadata.put(parts[0], parts[1].replace("\"", ""));
    }
    book.number(61);
    ScaledObject asked = new ScaledObject("web", "ml", metadata);
    assertThat(scaler.target(asked)).isEqualTo(new ScaleReply.Target("gpu_utilization", 60));
    assertThat(scaler.active(asked).active()).isTrue();
    assertThat(book.asked).containsExactly("deployments.apps ml/web gpu_utilization 0");
  }
}
