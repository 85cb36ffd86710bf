package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a real API server keeps of what is told on a workload. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class EventWriterTest {

  private static final Instant AT = Instant.parse("2026-11-02T10:20:30.456Z");
  private static final String ACTION = "0123456789abcdef";
  private static final String SERVICES =
      "/apis/serving.kserve.io/v1beta1/namespaces/%s/inferenceservices";

  private static Rig rig;
  private static KubernetesConnection connection;

  @BeforeAll
  static void start() {
    rig = Rig.builder().withCrds().start();
    connection =
        KubernetesConnection.openForChanges(
            new ConnectionOptions(
                Optional.of(rig.kubeconfigFor("rig-admin")), Optional.empty(), "test", Map.of()));
  }

  @AfterAll
  static void stop() {
    if (connection != null) {
      connection.close();
    }
    if (rig != null) {
      rig.close();
    }
  }

  @Test
  void whatWasDoneStandsOnTheWorkloadOnceHoweverOftenItIsTold() {
    TestCluster.namespace(rig, "usual", "{}");
    String uid =
        TestCluster.create(
            rig, TestCluster.apps("usual", "deployments"), TestCluster.scalable("web", "[]", 1));
    ObjectId web = new ObjectId("apps", "Deployment", "usual", "web", uid);
    for (int i = 0; i < 2; i++) {
      assertThat(tell(web, "Paused: it was idle")).isEmpty();
    }
    Json event = onlyEventIn("usual");
    assertThat(event.at("type").text()).isEqualTo("Normal");
    assertThat(event.at("reason").text()).isEqualTo("Paused");
    assertThat(event.at("message").text()).isEqualTo("Paused: it was idle");
    assertThat(event.at("lastTimestamp").text()).isEqualTo("2026-11-02T10:20:30Z");
    assertThat(event.at("source", "component").text()).isEqualTo("fallow");
    assertIsAbout(event, "apps/v1", web);
  }

  /** Whoever resumes by name alone knows neither the version nor the UID. */
  @Test
  void aCustomKindIsNamedInTheVersionItIsServedInAndByItsUid() {
    ObjectId service = service("custom", "llm");
    assertThat(tell(new ObjectId(service.group(), service.kind(), "custom", "llm", ""), "Paused"))
        .isEmpty();
    assertIsAbout(onlyEventIn("custom"), "serving.kserve.io/v1beta1", service);
  }

  /** Two bytes each, so that a cut at a fixed byte would now and then halve one. */
  @Test
  void aMessageThatIsTooLongForAnEventIsCutBetweenTwoLetters() {
    ObjectId service = service("talkative", "llm");
    for (String start : List.of("", "x")) {
      String message = start + "ü".repeat(1_024);
      assertThat(tell(service, message)).isEmpty();
      String kept = onlyEventIn("talkative").at("message").text();
      assertThat(kept.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(900, 1_024);
      assertThat(kept).endsWith("ü…");
      assertThat(message).startsWith(kept.substring(0, kept.length() - 1));
      rig.kubectl("delete", "events", "--all", "-n", "talkative");
    }
  }

  /** A cut after a dot would leave no name, though the API server of today takes it. */
  @Test
  void objectsWithTheLongestNamesHaveEventsWithAValidName() {
    String name = "a".repeat(179) + "." + "b".repeat(73);
    ObjectId service = service("longest", name);
    assertThat(tell(service, "Paused")).isEmpty();
    Json event = onlyEventIn("longest");
    assertThat(event.at("metadata", "name").text())
        .endsWith("." + ACTION + ".paused")
        .hasSizeLessThanOrEqualTo(253)
        .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
    assertIsAbout(event, "serving.kserve.io/v1beta1", service);
  }

  private static ObjectId service(String namespace, String name) {
    TestCluster.namespace(rig, namespace, "{}");
    String uid =
        TestCluster.create(
            rig,
            SERVICES.formatted(namespace),
            TestCluster.custom(
                "serving.kserve.io/v1beta1",
                "InferenceService",
                name,
                "[]",
                "{\"predictor\":{\"containers\":[{\"name\":\"main\",\"image\":\"none\"}]}}"));
    return new ObjectId("serving.kserve.io", "InferenceService", namespace, name, uid);
  }

  private static String tell(ObjectId about, String message) {
    return new EventWriter(connection).write(about, "Paused", message, ACTION, AT);
  }

  private static Json onlyEventIn(String namespace) {
    List<Json> events =
        rig.admin()
            .get("/api/v1/namespaces/" + namespace + "/events")
            .orThrow()
            .json()
            .at("items")
            .items();
    assertThat(events).as("events in " + namespace).hasSize(1);
    return events.getFirst();
  }

  private static void assertIsAbout(Json event, String apiVersion, ObjectId object) {
    Json about = event.at("involvedObject");
    assertThat(about.at("apiVersion").text()).isEqualTo(apiVersion);
    assertThat(about.at("kind").text()).isEqualTo(object.kind());
    assertThat(about.at("namespace").text()).isEqualTo(object.namespace());
    assertThat(about.at("name").text()).isEqualTo(object.name());
    assertThat(about.at("uid").text()).isEqualTo(object.uid());
  }
}
