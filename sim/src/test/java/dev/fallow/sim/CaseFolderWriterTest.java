package dev.fallow.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSeries;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class CaseFolderWriterTest {

  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");

  private static final SimulatedFleet fleet =
      SimulatedFleet.demo(8).on(Set.of("a100-2", "mi300x-1", "a100-mig-1", "l4-1", "l4-2", "t4-1"));
  private static final Instant at = fleet.start().plus(Duration.ofMinutes(12));
  @TempDir static Path folder;

  @BeforeAll
  static void write() throws Exception {
    new CaseFolderWriter(fleet, LabelForm.EXPORTED, Noise.NOW_AND_THEN).write(folder, at);
  }

  @Test
  void whatTheFolderExpectsIsWhatIsFoundFromItsOtherFiles() throws Exception {
    List<ObjectTree> objects = documents("objects.yaml");
    assertThat(Verdicts.found(ClusterState.of(objects), samples(), at)).isEqualTo(expected());
    assertThat(expected()).isEqualTo(Verdicts.truth(fleet, at)).hasSizeGreaterThan(20);
  }

  @Test
  void theObjectsAreThoseOfTheFleet() throws Exception {
    assertThat(ClusterState.of(documents("objects.yaml")))
        .isEqualTo(new SimClusterReader(fleet, () -> at).read());
  }

  @Test
  void aFleetOnSomeOfItsNodesIsACaseOfItsOwn() throws Exception {
    SimulatedFleet small = fleet.on(Set.of("l4-1", "t4-1"));
    assertThat(small.gpus()).isEqualTo(10);
    Map<String, String> found = Verdicts.found(small, new SimUsageSource(small), at);
    assertThat(found).isEqualTo(Verdicts.truth(small, at)).containsKey("Deployment/vision/ocr");
    Map<String, String> whole = Verdicts.truth(fleet, at);
    assertThat(whole).containsAllEntriesOf(found);
  }

  @Test
  void theCaseNamesItsMomentAndSettings() throws Exception {
    ObjectTree head = documents("case.yaml").getFirst();
    assertThat(head.instant("at")).contains(at);
    assertThat(head.number("settings", "duration")).hasValue(30);
    assertThat(head.number("settings", "grace-period")).hasValue(300);
  }

  @Test
  void theSamplesEndAsOpenMetricsEnds() throws Exception {
    String text = Files.readString(folder.resolve("samples.om"));
    assertThat(text).startsWith("# TYPE ").endsWith("\n# EOF\n");
    assertThat(text.lines().filter(line -> line.startsWith("# TYPE "))).doesNotHaveDuplicates();
  }

  @Test
  void promtoolMakesABlockOfTheSamples() throws Exception {
    assumeTrue(Files.isExecutable(PROMTOOL), "there is no " + PROMTOOL + " here");
    Path log = folder.resolve("promtool.log");
    Path data = folder.resolve("data");
    Process promtool =
        new ProcessBuilder(
                PROMTOOL.toString(),
                "tsdb",
                "create-blocks-from",
                "openmetrics",
                folder.resolve("samples.om").toString(),
                data.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(promtool.waitFor()).as(Files.readString(log)).isZero();
    try (var blocks = Files.list(data)) {
      assertThat(blocks).isNotEmpty();
    }
  }

  private Map<String, String> expected() throws Exception {
    Map<String, String> expected = new TreeMap<>();
    for (ObjectTree one : documents("case.yaml").getFirst().list("expect")) {
      expected.put(
          one.textOr("", "workload"),
          one.textOr("", "verdict")
              + " "
              + one.textOr("", "reason")
              + " "
              + one.textOr("", "action"));
    }
    return expected;
  }

  @SuppressWarnings("unchecked")
  private List<ObjectTree> documents(String file) throws Exception {
    Load load = new Load(LoadSettings.builder().setCodePointLimit(50_000_000).build());
    List<ObjectTree> documents = new ArrayList<>();
    for (Object document : load.loadAllFromString(Files.readString(folder.resolve(file)))) {
      documents.add(new ObjectTree((Map<String, Object>) document));
    }
    return documents;
  }

  private Usage samples() throws Exception {
    Map<String, SeriesLabels> labels = new HashMap<>();
    Map<String, Samples.Builder> builders = new TreeMap<>();
    for (ExpositionLines.Line line :
        ExpositionLines.of(Files.readString(folder.resolve("samples.om")))) {
      String key = line.metric() + new TreeMap<>(line.labels());
      SeriesLabels.of(line.metric(), line.labels()).ifPresent(known -> labels.put(key, known));
      builders
          .computeIfAbsent(key, name -> new Samples.Builder(at))
          .add(line.millis(), line.value());
    }
    List<UsageSeries> series = new ArrayList<>();
    builders.forEach(
        (key, builder) -> series.add(new UsageSeries(labels.get(key), builder.build())));
    return new Usage.Complete(series);
  }
}
