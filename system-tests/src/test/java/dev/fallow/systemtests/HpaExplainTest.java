package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.app.RecordedConsole;
import dev.fallow.app.cases.CaseBuilder;
import dev.fallow.app.output.Fields;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What an autoscaler will do is told from a real HPA and an exporter, without Prometheus or through
 * one.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class HpaExplainTest {

  private static final String HPAS =
      "/apis/autoscaling/v2/namespaces/team-b/horizontalpodautoscalers";

  private static final Path EXAMPLE =
      Path.of(System.getProperty("fallow.root", ".")).resolve("deploy/examples/gpu-hpa");

  private static final String SCRAPES = "extraScrapeConfigs: |\n";
  private static final Duration LIMIT = Duration.ofSeconds(60);

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
    RecordedConsole console = run("absent", "json");

    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("absent").contains("team-b");
  }

  /**
   * What the example's Prometheus does with the example's exporters. Debian's Prometheus cannot
   * look for pods, so it is told here what it would learn of one.
   */
  @Test
  void theExamplesPrometheusReadsTheExamplesExporters() throws Exception {
    rig.kubectl("apply", "-f", EXAMPLE.resolve("dcgm-exporter.yaml").toString());
    String values = Files.readString(EXAMPLE.resolve("prometheus-values.yaml"));
    try (TextExporter found = new TextExporter(InetAddress.getLoopbackAddress())) {
      found.shows("gpu-2", 0, "team-b", "server-1", 0.6);
      String scrapes =
          values
              .substring(values.indexOf(SCRAPES) + SCRAPES.length())
              .stripTrailing()
              .stripIndent()
              .replaceFirst(
                  "kubernetes_sd_configs:\n"
                      + "  - role: pod\n"
                      + "    namespaces:\n"
                      + "      names: \\[gpu-monitoring,.*]",
                  "static_configs: " + podOfTheExporter(found.port()));
      try (RigPrometheus prometheus = RigPrometheus.builder().scrapeConfig(scrapes).start()) {
        await()
            .atMost(LIMIT)
            .untilAsserted(() ->
                assertThat(prometheus.query("DCGM_FI_DEV_GPU_UTIL", Instant.now()))
                    .singleElement()
                    .satisfies(one -> {
                      assertThat(one.at("value").items().getLast().text()).isEqualTo("60");
                      assertThat(one.at("metric", "namespace").text()).isEqualTo("gpu-monitoring");
                      assertThat(one.at("metric", "pod").text()).isEqualTo("dcgm-exporter-1");
                      assertThat(one.at("metric", "node").text()).isEqualTo("gpu-2");
                    }));

        Json told = parsed(run("server", "json", "--prometheus-url", prometheus.url().toString()));
        assertThat(told.at("metrics").items().getFirst().at("value").text()).startsWith("60");
      }
    }
  }

  /** As Prometheus describes a pod that it finds; a list of one group of targets. */
  private static String podOfTheExporter(int port) {
    Json template =
        rig.admin()
            .get("/apis/apps/v1/namespaces/gpu-monitoring/daemonsets/dcgm-exporter")
            .orThrow()
            .json()
            .at("spec", "template");
    Json container = template.at("spec", "containers").items().getFirst();
    return """
    [{"targets":["127.0.0.1:%d"],"labels":{"__meta_kubernetes_namespace":"gpu-monitoring",
      "__meta_kubernetes_pod_name":"dcgm-exporter-1","__meta_kubernetes_pod_node_name":"gpu-2",
      "__meta_kubernetes_pod_label_app":%s,"__meta_kubernetes_pod_container_port_number":"%d"}}]\
    """
        .formatted(
            port,
            template.at("metadata", "labels", "app"),
            container.at("ports").items().getFirst().at("containerPort").number())
        .replace("\n", "");
  }

  private static Json explain(String name) {
    return parsed(run(name, "json"));
  }

  private static Json parsed(RecordedConsole console) {
    assertThat(console.exitCode()).as(console.err()).isZero();
    return Json.parse(console.out().strip());
  }

  private static RecordedConsole run(String name, String format) {
    return run(
        name,
        format,
        "--source",
        "scrape",
        "--scrape-interval",
        "1s",
        "--exporters",
        exporter.url().toString());
  }

  private static RecordedConsole run(String name, String format, String... source) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "hpa",
                "explain",
                name,
                "-n",
                "team-b",
                "-o",
                format,
                "--kubeconfig",
                account.toString()));
    words.addAll(List.of(source));
    return RecordedConsole.run(words);
  }
}
