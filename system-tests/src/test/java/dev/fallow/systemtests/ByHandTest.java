package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.app.RecordedConsole;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What people do from their own machine, on a cluster whose pods come and go. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class ByHandTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String TRAINER = "/apis/apps/v1/namespaces/ml/deployments/trainer";

  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = Rig.builder().everything().start();
    rig.admin().createNode(RigNode.named("n1").gpus(8));
    rig.kubectl("create", "namespace", "ml");
    rig.admin()
        .post(
            "/apis/apps/v1/namespaces/ml/deployments",
            """
            {"metadata":{"name":"trainer"},"spec":{"replicas":2,
              "selector":{"matchLabels":{"app":"trainer"}},
              "template":{"metadata":{"labels":{"app":"trainer"}},"spec":{"containers":[{
                "name":"main","image":"none","resources":{"limits":{"nvidia.com/gpu":"1"}}}]}}}}
            """)
        .orThrow();
    await().atMost(LIMIT).until(() -> running() == 2);
  }

  @AfterAll
  static void stop() {
    if (rig != null) {
      rig.close();
    }
  }

  private static RecordedConsole run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("-n", "ml", "--kubeconfig", rig.kubeconfig().toString()));
    return RecordedConsole.run(all.toArray(String[]::new));
  }

  private static Json trainer() {
    return rig.admin().get(TRAINER).orThrow().json();
  }

  private static String annotation(String key) {
    return trainer().at("metadata", "annotations", key).text();
  }

  private static long running() {
    return pods().stream()
        .filter(pod -> pod.at("status", "phase").text().equals("Running"))
        .count();
  }

  private static List<Json> pods() {
    return rig.admin().get("/api/v1/namespaces/ml/pods").orThrow().json().at("items").items();
  }

  @Test
  void aKeepIsWrittenAndTakenBack() {
    RecordedConsole kept = run("keep", "deploy/trainer", "--for", "2h", "--reason", "a demo");
    assertThat(kept.exitCode()).as(kept.err()).isZero();
    assertThat(annotation("fallow.dev/keep-until")).startsWith("20");
    assertThat(annotation("fallow.dev/keep-reason")).isEqualTo("a demo");

    assertThat(run("keep", "deploy/trainer", "--clear").exitCode()).isZero();
    assertThat(annotation("fallow.dev/keep-until")).isEmpty();

    RecordedConsole tooLong = run("keep", "deploy/trainer", "--for", "900h");
    assertThat(tooLong.exitCode()).isEqualTo(2);
    assertThat(tooLong.err()).contains("--for");
    assertThat(annotation("fallow.dev/keep-until")).isEmpty();
  }

  @Test
  void aPauseWaitsForThePodsToGoAndAResumeForThemToCome() {
    Json before = trainer().at("spec");
    RecordedConsole paused = run("pause", "deploy/trainer", "--wait", "--reason", "by me");
    assertThat(paused.exitCode()).as(paused.err()).isZero();
    assertThat(pods()).isEmpty();
    assertThat(trainer().at("spec", "replicas").number()).isZero();
    assertThat(annotation("fallow.dev/pause-reason")).contains("by me");

    RecordedConsole again = run("pause", "deploy/trainer");
    assertThat(again.exitCode()).as(again.out() + again.err()).isNotZero();

    RecordedConsole resumed = run("resume", "deploy/trainer", "--wait");
    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(running()).isEqualTo(2);
    assertThat(trainer().at("spec").toString()).isEqualTo(before.toString());
    assertThat(annotation("fallow.dev/before-pause")).isEmpty();
  }

  @Test
  void whoMayActInOneNamespaceAloneActsThere() throws IOException {
    rig.kubectl("create", "serviceaccount", "owner", "-n", "ml");
    rig.kubectl(
        "create",
        "rolebinding",
        "owner",
        "-n",
        "ml",
        "--clusterrole=cluster-admin",
        "--serviceaccount=ml:owner");
    Path kubeconfig = rig.kubeconfigForServiceAccount("ml", "owner");
    Files.writeString(
        kubeconfig, Files.readString(kubeconfig).replace("namespace: default", "namespace: ml"));
    String[] how = {"--wait", "--kubeconfig", kubeconfig.toString()};

    RecordedConsole paused = RecordedConsole.run("pause", "deploy/trainer", how[0], how[1], how[2]);
    assertThat(paused.exitCode()).as(paused.err()).isZero();
    RecordedConsole resumed =
        RecordedConsole.run("resume", "deploy/trainer", how[0], how[1], how[2]);
    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    assertThat(running()).isEqualTo(2);
  }

  @Test
  void whatIsNotThereIsNamed() {
    RecordedConsole absent = run("pause", "deploy/absent");
    assertThat(absent.exitCode()).isEqualTo(2);
    assertThat(absent.err()).contains("absent");
    assertThat(run("resume", "deploy/trainer").exitCode()).as("it is not paused").isEqualTo(1);
  }
}
