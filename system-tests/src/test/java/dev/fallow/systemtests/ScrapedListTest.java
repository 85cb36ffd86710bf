package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fallow.app.RecordedConsole;
import dev.fallow.app.cases.CaseBuilder;
import dev.fallow.app.output.Fields;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A cluster without Prometheus: the program asks the exporters themselves. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class ScrapedListTest {

  private static final Map<String, String> EXPECTED =
      Map.of(
          "Deployment/team-a/trainer", "IDLE ALL_GPUS_IDLE PAUSE",
          "Deployment/team-b/server", "BUSY GPU_ACTIVE NONE",
          "Deployment/team-c/unseen", "UNKNOWN SERIES_MISSING NONE");

  private static final List<AutoCloseable> open = new ArrayList<>();
  private static Rig rig;
  private static Path account;

  @BeforeAll
  static void start() {
    CaseBuilder cluster = new CaseBuilder("scraped");
    cluster.pod(cluster.deployment("team-a", "trainer"), "trainer-1").on("gpu-1").gpus(2).silent();
    cluster.pod(cluster.deployment("team-b", "server"), "server-1").on("gpu-2").silent();
    cluster.pod(cluster.deployment("team-c", "unseen"), "unseen-1").on("gpu-2").silent();
    rig = Rig.builder().start();
    account = ShippedAccount.ofViewerIn(rig);
    open.add(rig);
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    TimeShift shift = new TimeShift(Duration.between(CaseBuilder.AT, now));
    new CaseLoader(rig)
        .load(
            cluster.objects().stream()
                .map(object ->
                    JsonMaps.parse(shift.ofText(Fields.json(CaseLoader.deepCopy(object)))))
                .toList());
  }

  @AfterAll
  static void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void exportersNamedByHandAreEnough() {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    String first = still(loopback).url().toString();
    String second = working(loopback).url().toString();

    assertThat(list("--exporters", first + "," + second)).isEqualTo(EXPECTED);
  }

  @Test
  void exportersAreFoundByTheirEndpointSlices() throws SocketException {
    Optional<InetAddress> address = TextExporter.outerAddress();
    assumeTrue(
        address.isPresent(),
        "an EndpointSlice may not hold a loopback address, and this machine has no other");
    rig.admin().post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"gpu-operator\"}}").orThrow();
    still(address.get()).foundIn(rig, "dcgm-1", "gpu-1");
    working(address.get()).foundIn(rig, "dcgm-2", "gpu-2");

    assertThat(list()).isEqualTo(EXPECTED);
  }

  private static TextExporter still(InetAddress address) {
    TextExporter exporter = new TextExporter(address);
    open.add(exporter);
    return exporter
        .shows("gpu-1", 0, "team-a", "trainer-1", 0)
        .shows("gpu-1", 1, "team-a", "trainer-1", 0);
  }

  private static TextExporter working(InetAddress address) {
    TextExporter exporter = new TextExporter(address);
    open.add(exporter);
    return exporter.shows("gpu-2", 0, "team-b", "server-1", 0.8);
  }

  private static Map<String, String> list(String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "list",
                "-o",
                "json",
                "--source",
                "scrape",
                "-t",
                "20s",
                "-g",
                "0",
                "--scrape-interval",
                "1s",
                "--kubeconfig",
                account.toString()));
    words.addAll(List.of(more));
    RecordedConsole console = RecordedConsole.run(words);
    assertThat(console.exitCode()).as(console.err()).isZero();
    Map<String, String> verdicts = new TreeMap<>();
    for (Json item : Json.parse(console.out().strip()).at("items").items()) {
      verdicts.put(
          item.at("workload").text(),
          item.at("verdict").text()
              + " "
              + item.at("reason").text()
              + " "
              + item.at("action").text());
    }
    return verdicts;
  }
}
