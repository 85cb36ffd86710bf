package dev.fallow.sim;

import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a moment of the fleet as a case folder, with the truth as what is to be expected. */
public final class CaseFolderWriter {

  private static final Duration WINDOW = Duration.ofMinutes(30);

  private final SimulatedFleet fleet;
  private final LabelForm form;
  private final FleetSeries series;

  public CaseFolderWriter(SimulatedFleet fleet, LabelForm form, Noise noise) {
    this.fleet = fleet;
    this.form = form;
    this.series =
        new FleetSeries(
            fleet, form, new SeriesNames(form)::stored, EnumSet.allOf(Signal.class), noise);
  }

  /** Makes the folder where there is none. */
  public void write(Path folder, Instant at) throws IOException {
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("case.yaml"), caseYaml(at));
    Files.writeString(folder.resolve("objects.yaml"), objectsYaml(at));
    Files.writeString(folder.resolve("samples.om"), samples(at));
  }

  private String caseYaml(Instant at) {
    List<Map<String, Object>> expected = new ArrayList<>();
    for (Truth truth : fleet.truth(at, form)) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("workload", truth.workload().toString());
      one.put("verdict", truth.finding().name());
      one.put("reason", truth.reasonShown());
      one.put("action", truth.action().name());
      expected.add(one);
    }
    return BlockYaml.of(
        Fields.of(
            "at",
            at.toString(),
            "settings",
            Fields.of("duration", WINDOW.toMinutes(), "grace-period", 300),
            "expect",
            expected));
  }

  private String objectsYaml(Instant at) {
    StringBuilder yaml = new StringBuilder();
    for (Map<String, Object> object : fleet.objects(at)) {
      yaml.append("---\n").append(BlockYaml.of(object));
    }
    return yaml.toString();
  }

  private String samples(Instant at) {
    Duration window =
        fleet.workloads().stream()
            .flatMap(workload -> workload.idleWindow().stream())
            .reduce(WINDOW, (one, other) -> one.compareTo(other) > 0 ? one : other);
    Instant after = at.minus(window);
    OpenMetricsText text = new OpenMetricsText();
    series.forEach(
        after.minus(UsageSource.LOOKBACK).toEpochMilli(),
        after.toEpochMilli(),
        at.toEpochMilli(),
        text::add);
    return text.toString();
  }
}
