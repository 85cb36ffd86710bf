package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.RecordedConsole;
import dev.fallow.app.cases.CaseBuilder;
import dev.fallow.app.cases.CaseCatalogue;
import dev.fallow.app.output.Fields;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a case folder gives offline, a real API server and a real Prometheus give as well. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class TwoRoadsTest {

  @TempDir static Path folder;

  private static final List<CaseBuilder> CASES =
      CaseCatalogue.all().stream()
          // The server gives pods UIDs of its own, so samples that carry a pod's UID stay offline.
          .filter(built -> !built.tellsPodUids())
          // Owners are told by who prunes, and not by list.
          .filter(built -> !built.name().startsWith("a-notice"))
          .filter(built -> built.objects().stream().noneMatch(TwoRoadsTest::isOffline))
          .toList();

  /**
   * What scales a workload is read when something is to be paused, and not by list; and only the
   * server itself writes managedFields.
   */
  private static boolean isOffline(Map<String, Object> object) {
    return Set.of("ScaledObject", "HorizontalPodAutoscaler").contains(object.get("kind"))
        || (object.get("metadata") instanceof Map<?, ?> metadata
            && metadata.containsKey("managedFields"));
  }

  private static Rig rig;
  private static Path account;
  private static RigPrometheus prometheus;

  @BeforeAll
  static void start() throws IOException {
    Path samples = folder.resolve("all.om");
    writeSamples(samples);
    prometheus = RigPrometheus.builder().backfill(samples).start();
    rig = Rig.builder().start();
    TestKinds.install(rig.admin());
    account = ShippedAccount.ofViewerIn(rig);
    // As the manifest tells whoever has operators that it does not know.
    rig.kubectl(
        "create",
        "clusterrole",
        "more-owners",
        "--verb=get,list",
        "--resource=statefulsets.apps.kruise.io,layers.example.com");
    rig.kubectl(
        "create",
        "clusterrolebinding",
        "more-owners",
        "--clusterrole=more-owners",
        "--serviceaccount=default:viewer");
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
  void bothRoadsGiveTheSameVerdictsReasonsAndActions() {
    List<String> differences = new ArrayList<>();
    for (int index = 0; index < CASES.size(); index++) {
      CaseBuilder built = CASES.get(index);
      Map<String, String> offline = offline(built);
      Map<String, String> live = live(built, shift(index));
      if (!live.equals(offline)) {
        differences.add(built.name() + ": offline " + offline + ", live " + live);
      }
    }
    assertThat(differences).isEmpty();
  }

  @Test
  void aRecordedClusterIsJudgedAgainAsItWasLive() {
    CaseBuilder busyAndIdle =
        CASES.stream()
            .filter(built -> built.name().equals("per-process-values-prove-who"))
            .findFirst()
            .orElseThrow();
    TimeShift shift = shift(CASES.indexOf(busyAndIdle));
    CaseLoader loader = new CaseLoader(rig);
    Path recorded = folder.resolve("recorded");
    try {
      loader.load(busyAndIdle.objects().stream().map(object -> shifted(object, shift)).toList());
      RecordedConsole console =
          RecordedConsole.run(
              "record",
              recorded.toString(),
              "--kubeconfig",
              account.toString(),
              "--prometheus-url",
              prometheus.url().toString(),
              "--at",
              shift.of(busyAndIdle.at()).toString());
      assertThat(console.exitCode()).as(console.err()).isZero();
    } finally {
      loader.unload();
    }

    RecordedConsole replay =
        RecordedConsole.run("replay", "--check", "-o", "json", recorded.toString());

    assertThat(replay.err()).isEmpty();
    assertThat(replay.exitCode()).isZero();
    assertThat(verdicts(Json.parse(replay.out().strip()).at("workloads")))
        .containsEntry("Deployment/ml/one", "IDLE ALL_GPUS_IDLE PAUSE")
        .containsEntry("Deployment/ml/two", "BUSY GPU_ACTIVE NONE");
  }

  private static Map<String, String> offline(CaseBuilder built) {
    RecordedConsole replay =
        RecordedConsole.run(
            "replay", "-o", "json", built.write(folder.resolve("cases")).toString());
    return verdicts(Json.parse(replay.out().strip()).at("workloads"));
  }

  private static Map<String, String> live(CaseBuilder built, TimeShift shift) {
    CaseLoader loader = new CaseLoader(rig);
    List<Map<String, Object>> objects =
        built.objects().stream().map(object -> shifted(object, shift)).toList();
    try {
      loader.load(objects);
      List<String> words =
          new ArrayList<>(
              List.of(
                  "list",
                  "-o",
                  "json",
                  "--kubeconfig",
                  account.toString(),
                  "--prometheus-url",
                  prometheus.url().toString(),
                  "--at",
                  shift.of(built.at()).toString()));
      Map<String, String> pattern = new TreeMap<>();
      built
          .settings()
          .forEach((name, value) -> {
            if (name.equals("namespace")) {
              // Of list this flag names one namespace; the pattern is a setting of the file.
              pattern.put(name, value.toString());
            } else {
              words.add("--" + name);
              words.add(value.toString());
            }
          });
      if (!pattern.isEmpty()) {
        Path config = Files.writeString(folder.resolve("config.yaml"), Fields.yaml(pattern));
        words.addAll(List.of("--config", config.toString()));
      }
      RecordedConsole console = RecordedConsole.run(words);
      assertThat(console.exitCode()).as(built.name() + ": " + console.err()).isZero();
      return verdicts(Json.parse(console.out().strip()).at("items"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    } finally {
      loader.unload();
      loader.forgetNamespaceAnnotations(objects);
    }
  }

  private static Map<String, Object> shifted(Map<String, Object> object, TimeShift shift) {
    return JsonMaps.parse(shift.ofText(Fields.json(CaseLoader.deepCopy(object))));
  }

  private static Map<String, String> verdicts(Json workloads) {
    Map<String, String> verdicts = new TreeMap<>();
    for (Json workload : workloads.items()) {
      verdicts.put(
          workload.at("workload").text(),
          workload.at("verdict").text()
              + " "
              + workload.at("reason").text()
              + " "
              + workload.at("action").text());
    }
    return verdicts;
  }

  private static TimeShift shift(int index) {
    return new TimeShift(Duration.ofHours(6L * (index - CASES.size())));
  }

  /** All cases' samples in one file, each family once, each case at a time of its own. */
  private static void writeSamples(Path file) throws IOException {
    Map<String, List<String>> families = new TreeMap<>();
    for (int index = 0; index < CASES.size(); index++) {
      TimeShift shift = shift(index);
      Path written = CASES.get(index).write(folder.resolve("samples"));
      for (String line : Files.readAllLines(written.resolve("samples.om"))) {
        if (!line.startsWith("#")) {
          families
              .computeIfAbsent(line.split("[{ ]")[0], family -> new ArrayList<>())
              .add(shift.ofSample(line));
        }
      }
    }
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Map.Entry<String, List<String>> family : families.entrySet()) {
        out.write("# TYPE " + family.getKey() + " gauge\n");
        for (String line : family.getValue()) {
          out.write(line + "\n");
        }
      }
      out.write("# EOF\n");
    }
  }
}
