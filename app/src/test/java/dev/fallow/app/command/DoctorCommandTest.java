package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.RecordedConsole;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorCommandTest {

  private static final String POD =
      """
      {"metadata":{"resourceVersion":"1"},"items":[{
       "metadata":{"name":"trainer-0","namespace":"ml","uid":"u1","creationTimestamp":"2026-11-02T12:00:00Z"},
       "spec":{"nodeName":"n1","containers":[{"name":"c","resources":{"limits":{"nvidia.com/gpu":"1"}}}]},
       "status":{"phase":"Running"}}]}
      """;

  private static final String SERIES =
      """
      # TYPE DCGM_FI_DEV_GPU_UTIL gauge
      DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",Hostname="n1",namespace="ml",pod="trainer-0",container="c"} 7
      """;

  @TempDir Path folder;
  private final StubCluster cluster = new StubCluster();

  @AfterEach
  void end() {
    cluster.close();
  }

  private RecordedConsole doctor(String... more) {
    List<String> words =
        new ArrayList<>(List.of("doctor", "--kubeconfig", cluster.kubeconfig(folder).toString()));
    words.addAll(List.of(more));
    return RecordedConsole.run(words);
  }

  @Test
  void exportersThatAreNamedAreLookedAtOnceAndTheirSeriesJudged() {
    cluster.answers("/api/v1/pods", POD).answers("/metrics", SERIES);

    RecordedConsole console = doctor("--exporters", cluster.address() + "/metrics");

    assertThat(console.out())
        .contains("ok   metrics: 1 of 1 exporters answer, looked at without Prometheus")
        .contains("ok   GPU series: 1 series of 1 devices on 1 nodes")
        .contains("ok   pod labels: every running GPU pod is named by some series")
        .doesNotContain("mend")
        .doesNotContain("list services");
    assertThat(console.exitCode()).as(console.err()).isZero();
    assertThat(doctor("--source", "scrape", "--exporters", cluster.address() + "/metrics").out())
        .isEqualTo(console.out());
  }

  @Test
  void anExporterThatDoesNotAnswerIsNamedBesideThoseThatDo() {
    cluster.answers("/api/v1/pods", POD).answers("/metrics", SERIES);

    RecordedConsole console =
        doctor("--exporters", cluster.address() + "/metrics,http://127.0.0.1:1/metrics");

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.out())
        .contains("ok   metrics: 1 of 2 exporters answer")
        .contains("mend metrics: http://127.0.0.1:1/metrics")
        .contains("ok   GPU series: 1 series");
  }

  @Test
  void whereScrapingIsAskedForAndThereIsNobodyToScrapeThatIsSaid() {
    RecordedConsole console = doctor("--source", "scrape");

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.out())
        .contains("may list endpointslices.discovery.k8s.io")
        .contains("mend metrics: there is no GPU exporter to look at")
        .doesNotContain("install Prometheus");
  }

  @Test
  void thePrometheusThatIsTakenIsNamed() {
    cluster
        .answers("/api/v1/pods", POD)
        .answers(
            "/api/v1/services",
            """
            {"metadata":{"resourceVersion":"1"},"items":[{
             "metadata":{"name":"prometheus-k8s","namespace":"monitoring"},
             "spec":{"ports":[{"name":"web","port":9090}]}}]}
            """)
        .answers(
            "/api/v1/namespaces/monitoring/services/http:prometheus-k8s:9090/proxy/api/v1/query",
            "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}");

    assertThat(doctor().out())
        .contains("ok   metrics: monitoring/prometheus-k8s:9090 through the API server")
        .contains("mend GPU series: the source answers and knows no GPU series");
  }

  @Test
  void eachRightThatPausingLacksIsNamed() {
    cluster
        .answers("/api/v1/pods", POD)
        .answers("/metrics", SERIES)
        .answers(
            "/apis",
            """
            {"kind":"APIGroupList","groups":[
             {"name":"kubeflow.org","versions":[{"groupVersion":"kubeflow.org/v1","version":"v1"}],
              "preferredVersion":{"groupVersion":"kubeflow.org/v1","version":"v1"}},
             {"name":"keda.sh","versions":[{"groupVersion":"keda.sh/v1alpha1","version":"v1alpha1"}],
              "preferredVersion":{"groupVersion":"keda.sh/v1alpha1","version":"v1alpha1"}}]}
            """)
        .answers(
            "/apis/kubeflow.org/v1",
            """
            {"kind":"APIResourceList","groupVersion":"kubeflow.org/v1","resources":[
             {"name":"notebooks","singularName":"notebook","namespaced":true,"kind":"Notebook","verbs":["list"]}]}
            """)
        .answers(
            "/apis/keda.sh/v1alpha1",
            """
            {"kind":"APIResourceList","groupVersion":"keda.sh/v1alpha1","resources":[
             {"name":"scaledobjects","singularName":"scaledobject","namespaced":true,"kind":"ScaledObject","verbs":["list"]}]}
            """);
    String exporter = cluster.address() + "/metrics";
    assertThat(doctor("--exporters", exporter).out()).contains("ok   pruning: may do all");

    cluster.forbids("notebooks", "scaledobjects", "leases", "events");
    RecordedConsole console = doctor("--exporters", exporter);

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.out())
        .contains("mend pruning: this account may not patch notebooks.kubeflow.org")
        .contains("mend pruning: this account may not patch scaledobjects.keda.sh")
        .contains("mend pruning: this account may not create events")
        .contains("mend pruning: this account may not update leases.coordination.k8s.io")
        .doesNotContain("ok   pruning");
  }

  @Test
  void whoOnlyLooksIsNotToldWhatPausingTakes() {
    cluster
        .answers("/api/v1/pods", POD)
        .answers("/metrics", SERIES)
        .forbids("deployments", "statefulsets", "replicasets", "leases");

    assertThat(doctor("--exporters", cluster.address() + "/metrics").out())
        .contains("ok   pruning: this account may only look")
        .doesNotContain("leases");
  }
}
