package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.RecordedConsole;
import dev.fallow.app.cases.CaseBuilder;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look at a live cluster, as two teams and their operator would use them. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class LiveCommandsTest {

  @TempDir static Path folder;

  private static Rig rig;
  private static Path viewer;
  private static RigPrometheus prometheus;

  @BeforeAll
  static void start() {
    CaseBuilder cluster = new CaseBuilder("two-teams");
    cluster.pod(cluster.deployment("team-a", "trainer"), "trainer-1").gpus(2).idle();
    cluster.pod(cluster.statefulSet("team-b", "db"), "db-0").busy();
    Path written = cluster.write(folder);
    prometheus = RigPrometheus.builder().backfill(written.resolve("samples.om")).start();
    rig = Rig.builder().user("alice", "team-a").start();
    viewer = ShippedAccount.ofViewerIn(rig);
    new CaseLoader(rig).load(cluster.objects());
    rig.admin()
        .post(
            "/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/roles",
            """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"name":"viewer"},
             "rules":[{"apiGroups":[""],"resources":["pods"],"verbs":["list"]},
                      {"apiGroups":["apps"],"resources":["*"],"verbs":["get","list"]}]}
            """)
        .orThrow();
    rig.admin()
        .post(
            "/apis/rbac.authorization.k8s.io/v1/namespaces/team-a/rolebindings",
            """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":"viewer"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"viewer"},
             "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"alice"}]}
            """)
        .orThrow();
  }

  @AfterAll
  static void stop() {
    if (rig != null) {
      rig.close();
    }
    if (prometheus != null) {
      prometheus.close();
    }
  }

  @Test
  void theListRanksWasteFirst() {
    RecordedConsole console = run(viewer, "list");
    assertThat(console.exitCode()).as(console.err()).isZero();
    List<String> lines = console.out().lines().toList();
    assertThat(lines.get(1)).startsWith("Deployment/team-a/trainer").contains("IDLE");
    assertThat(lines.get(2)).startsWith("StatefulSet/team-b/db").contains("BUSY");
    assertThat(console.err()).contains("2 of 3 GPUs (shares");
  }

  @Test
  void whyShowsEachPodDeviceAndSignal() {
    RecordedConsole console = run(viewer, "why", "deploy/trainer", "-o", "json");
    assertThat(console.exitCode()).as(console.err()).isZero();
    Json pod = Json.parse(console.out().strip()).at("pods").items().getFirst();
    assertThat(pod.at("devices").items()).hasSize(2);
    Json device = pod.at("devices").items().getFirst();
    assertThat(device.at("samples").number()).isEqualTo(60);
    assertThat(device.at("signals").items()).hasSize(2);
    assertThat(run(viewer, "why", "deploy/trainer").out())
        .contains("60 of 60 samples, every 30 s")
        .contains("pruning would pause it now");
  }

  @Test
  void aMisspeltWorkloadGetsTheNearestName() {
    RecordedConsole console = run(viewer, "why", "deployment/trainr");
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("did you mean Deployment/trainer?");
  }

  @Test
  void aRoleInOneNamespaceIsEnoughForThatNamespace() {
    RecordedConsole own = run(rig.kubeconfigFor("alice"), "list", "-n", "team-a", "-o", "csv");
    assertThat(own.exitCode()).as(own.err()).isZero();
    assertThat(own.out()).contains("Deployment/team-a/trainer,IDLE").doesNotContain("team-b");
    RecordedConsole all = run(rig.kubeconfigFor("alice"), "list");
    assertThat(all.exitCode()).isEqualTo(3);
    assertThat(all.err()).contains("-n NAMESPACE");
  }

  @Test
  void aPrometheusThatDoesNotAnswerLeavesEverythingUnknown() {
    RecordedConsole console =
        RecordedConsole.run(
            "list",
            "-o",
            "json",
            "--kubeconfig",
            viewer.toString(),
            "--prometheus-url",
            "http://127.0.0.1:1");
    assertThat(console.exitCode()).isEqualTo(3);
    assertThat(Json.parse(console.out().strip()).at("items").items())
        .allSatisfy(item -> assertThat(item.at("reason").text()).isEqualTo("METRICS_UNAVAILABLE"));
  }

  @Test
  void theDoctorFindsNothingToMendInAHealthyCluster() {
    RecordedConsole console = run(rig.kubeconfig(), "doctor");
    assertThat(console.out())
        .contains("3 devices")
        .contains("every running GPU pod is named")
        .doesNotContain("mend ");
    assertThat(console.exitCode()).isZero();
  }

  @Test
  void withoutPrometheusOrExportersTheCureIsNamed() {
    RecordedConsole console = RecordedConsole.run("list", "--kubeconfig", viewer.toString());
    assertThat(console.exitCode()).isEqualTo(3);
    assertThat(console.err()).contains("--prometheus-url");
  }

  private static RecordedConsole run(Path kubeconfig, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(
        List.of(
            "--kubeconfig",
            kubeconfig.toString(),
            "--prometheus-url",
            prometheus.url().toString(),
            "--at",
            CaseBuilder.AT.toString()));
    return RecordedConsole.run(all);
  }
}
