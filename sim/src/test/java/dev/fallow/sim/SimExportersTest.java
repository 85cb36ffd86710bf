package dev.fallow.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSeries;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimExportersTest {

  private final SimulatedFleet fleet = SimulatedFleet.demo(11);
  private final AtomicReference<Instant> now = new AtomicReference<>(fleet.start());

  @ParameterizedTest
  @EnumSource(LabelForm.class)
  void whatIsScrapedIsWhatTheUsageSourceSays(LabelForm form) throws Exception {
    try (SimExporters exporters = new SimExporters(fleet, now::get, form, 0).start();
        HttpClient client = HttpClient.newHttpClient()) {
      for (int minutes : List.of(17, 400)) {
        now.set(fleet.start().plus(Duration.ofMinutes(minutes)));
        for (SimNode node : fleet.nodes()) {
          OptionalLong look = node.exporter().newest(now.get().toEpochMilli());
          HttpResponse<String> answer = get(client, exporters.address(node));
          if (look.isEmpty()) {
            assertThat(answer.statusCode()).isEqualTo(503);
          } else {
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(scraped(answer.body())).isEqualTo(known(form, node, look.getAsLong()));
          }
        }
      }
    }
  }

  @Test
  void everyFamilyHasItsHelpAndTypeAndStandsTogether() {
    String text = new ExporterText(fleet, LabelForm.HONOURED).of(fleet.nodes().get(0), 0);
    assertThat(text)
        .contains("# HELP DCGM_FI_DEV_GPU_UTIL ")
        .contains("# TYPE DCGM_FI_DEV_GPU_UTIL gauge\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-");
    assertThat(text.lines().filter(line -> line.equals("# TYPE DCGM_FI_DEV_GPU_UTIL gauge")))
        .hasSize(1);
  }

  @Test
  void aGpuThatNobodyHoldsNamesNoPod() {
    SimNode node = fleet.nodes().stream().filter(n -> n.name().equals("l4-1")).findFirst().get();
    String text = new ExporterText(fleet, LabelForm.HONOURED).of(node, now.get().toEpochMilli());
    assertThat(ExpositionLines.of(text))
        .filteredOn(line -> line.labels().get("gpu").equals("3"))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line.labels()).doesNotContainKey("pod"));
  }

  @Test
  void aCardThatIsCutIsToldOfInItsFirstPartition() {
    SimNode node =
        new SimNode(
            "mi-1",
            GpuModel.MI300X,
            1,
            1,
            List.of("cpx", "cpx", "cpx", "cpx"),
            Set.of(),
            Exporter.steady(3));
    List<SimDevice> devices = SimDevice.of(11, List.of(node));
    SeriesNames names = new SeriesNames(LabelForm.HONOURED);

    assertThat(devices)
        .hasSize(4)
        .allSatisfy(device ->
            assertThat(names.exposed(device, Optional.empty(), 0))
                .containsEntry("gpu_partition_id", "" + device.partition())
                .containsEntry("gpu_compute_partition_type", "cpx"));
    assertThat(devices.getFirst().signals()).contains(Signal.GFX_ACTIVITY, Signal.POWER);
    assertThat(devices.getLast().signals()).containsExactly(Signal.POWER);
    assertThat(Meter.read(Signal.POWER, Work.TRAINING, devices.getFirst(), 0)).isPositive();
    assertThat(Meter.read(Signal.POWER, Work.TRAINING, devices.getLast(), 0)).isZero();
  }

  @Test
  void virtualGpusGiveACopyToEachSharer() {
    SimNode node = fleet.nodes().stream().filter(n -> n.name().equals("t4-1")).findFirst().get();
    String text =
        new ExporterText(fleet, LabelForm.VIRTUAL_GPUS).of(node, now.get().toEpochMilli());
    assertThat(ExpositionLines.of(text))
        .filteredOn(line -> line.metric().equals("DCGM_FI_DEV_GPU_UTIL"))
        .filteredOn(line -> line.labels().get("gpu").equals("0"))
        .hasSize(3)
        .extracting(line -> line.labels().get("vgpu"))
        .containsExactlyInAnyOrder("0", "1", "2");
  }

  @Test
  void whatIsNoExporterIsNotFound() throws Exception {
    try (SimExporters exporters = new SimExporters(fleet, now::get, LabelForm.HONOURED, 0).start();
        HttpClient client = HttpClient.newHttpClient()) {
      URI known = exporters.address(fleet.nodes().get(0));
      for (String path : List.of("/", "/metrics", "/node/none/metrics", "/node/h100-1/other")) {
        assertThat(get(client, known.resolve(path)).statusCode()).as(path).isEqualTo(404);
      }
    }
  }

  private static HttpResponse<String> get(HttpClient client, URI address)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static Map<String, Float> scraped(String text) {
    Map<String, Float> values = new HashMap<>();
    for (ExpositionLines.Line line : ExpositionLines.of(text)) {
      SeriesLabels.of(line.metric(), line.labels())
          .ifPresent(labels -> values.put(key(labels, pod(labels)), (float) line.value()));
    }
    return values;
  }

  private Map<String, Float> known(LabelForm form, SimNode node, long look) {
    Map<String, Float> values = new HashMap<>();
    List<UsageSeries> series =
        new SimUsageSource(fleet, form)
            .read(Instant.ofEpochMilli(look), Duration.ofSeconds(1))
            .series();
    for (UsageSeries one : series) {
      int last = one.samples().size() - 1;
      if (one.labels().host().equals(node.name()) && one.samples().millis(last) == look) {
        values.put(key(one.labels(), pod(one.labels())), one.samples().value(last));
      }
    }
    return values;
  }

  private static String key(SeriesLabels labels, String pod) {
    Signal signal = labels.signal();
    return signal + " " + labels.card() + " " + labels.migInstance() + " " + pod;
  }

  /** The workload's pod; the exporter itself, which Prometheus names on free cards, is none. */
  private static String pod(SeriesLabels labels) {
    SeriesLabels.PodName pod = labels.claimed().isNone() ? labels.plain() : labels.claimed();
    return pod.name().contains("exporter") ? "/" : pod.toString();
  }
}
