package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.RecordedConsole;
import dev.fallow.app.cases.CaseBuilder;
import dev.fallow.app.output.Fields;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an autoscaler will do is told from a real HPA and an exporter, without Prometheus. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class HpaExplainTest {

  private static final String HPAS =
      "/apis/autoscaling/v2/namespaces/team-b/horizontalpodautoscalers";

  private static Rig rig;
  private static Path account;
  private static TextExporter exporter;

  @BeforeAll
  static void start() {
    CaseBuilder cluster = new CaseBuilder("explained");
    cluster.pod(cluster.deployment("team-b", "server"), "server-1").on("gpu-2").silent();
    rig = Rig.builder().start();
    account = ShippedAccount.ofViewerIn(rig);
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    TimeShift shift = new TimeShift(Duration.between(CaseBuilder.AT, now));
    new CaseLoader(rig)
        .load(
            cluster.objects().stream()
                .map(object ->
                    JsonMaps.parse(shift.ofText(Fields.json(CaseLoader.deepCopy(object)))))
                .toList());
    exporter =
        new TextExporter(InetAddress.getLoopbackAddress())
            .shows("gpu-2", 0, "team-b", "server-1", 0.8);
    rig.admin()
        .post(
            HPAS,
            """
            {"metadata":{"name":"server"},
             "spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"server"},
               "minReplicas":1,"maxReplicas":5,
               "metrics":[{"type":"Pods","pods":{"metric":{"name":"gpu_utilization"},
                 "target":{"type":"AverageValue","averageValue":"40"}}}]}}
            """)
        .orThrow();
  }

  @AfterAll
  static void stop() throws Exception {
    exporter.close();
    rig.close();
  }

  @Test
  void theReplicasToComeAreThoseOfTheFormula() {
    Json told = explain("server");

    assertThat(told.at("desiredReplicas").text()).isEqualTo("2");
    assertThat(told.at("metrics").items().getFirst().at("value").text()).startsWith("80");
    assertThat(run("server", "csv").out().lines())
        .first()
        .asString()
        .startsWith("hpa,source,metric,");
    assertThat(run("server", "csv").out().lines().skip(1))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).startsWith("team-b/server,").contains(",80"));
  }

  @Test
  void anHpaThatIsNotThereIsNamed() {
    RecordedConsole console = run("absent");

    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("absent").contains("team-b");
  }

  private static Json explain(String name) {
    RecordedConsole console = run(name);
    assertThat(console.exitCode()).as(console.err()).isZero();
    return Json.parse(console.out().strip());
  }

  private static RecordedConsole run(String name) {
    return run(name, "json");
  }

  private static RecordedConsole run(String name, String format) {
    return RecordedConsole.run(
        "hpa",
        "explain",
        name,
        "-n",
        "team-b",
        "-o",
        format,
        "--source",
        "scrape",
        "--scrape-interval",
        "1s",
        "--exporters",
        exporter.url().toString(),
        "--kubeconfig",
        account.toString());
  }
}
