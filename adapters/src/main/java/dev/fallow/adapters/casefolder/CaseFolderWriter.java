package dev.fallow.adapters.casefolder;

import dev.fallow.core.exposition.SeriesText;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.SeriesLabels.PodName;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSeries;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Writes a cluster's evidence at one moment as a case folder. */
public final class CaseFolderWriter {

  private final Path folder;

  public CaseFolderWriter(Path folder) {
    this.folder = folder;
  }

  /**
   * @param settings those that were in force and are not the defaults
   * @param expectations what was decided on this very evidence
   */
  public void write(
      Instant at,
      Map<String, String> settings,
      List<Expectation> expectations,
      ClusterState cluster,
      List<UsageSeries> series)
      throws IOException {
    Files.createDirectories(folder);
    Map<String, Object> head = new LinkedHashMap<>();
    head.put("at", at.toString());
    if (!settings.isEmpty()) {
      head.put("settings", settings);
    }
    head.put("expect", expectations.stream().map(CaseFolderWriter::line).toList());
    Files.writeString(folder.resolve(CaseFolder.CASE), yaml(head));
    try (Writer objects = Files.newBufferedWriter(folder.resolve(CaseFolder.OBJECTS))) {
      for (Map<String, Object> object : Manifests.of(cluster, targets(series))) {
        objects.append("---\n").append(yaml(object));
      }
    }
    try (Writer samples = Files.newBufferedWriter(folder.resolve(CaseFolder.SAMPLES))) {
      write(samples, series);
    }
  }

  private static Set<PodName> targets(List<UsageSeries> series) {
    Set<PodName> targets = new HashSet<>();
    series.forEach(one -> targets.add(one.labels().plain()));
    return targets;
  }

  private static Map<String, Object> line(Expectation expectation) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("workload", expectation.workload());
    expectation.verdict().ifPresent(verdict -> line.put("verdict", verdict));
    expectation.reason().ifPresent(reason -> line.put("reason", reason));
    expectation.action().ifPresent(action -> line.put("action", action));
    return line;
  }

  private static String yaml(Object document) {
    return new Dump(
            DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setDereferenceAliases(true)
                .setWidth(120)
                .build())
        .dumpToString(document);
  }

  /** Each family once, as OpenMetrics wants it, under its present name. */
  private static void write(Writer out, List<UsageSeries> all) throws IOException {
    Map<Signal, List<UsageSeries>> families = new EnumMap<>(Signal.class);
    all.forEach(
        one -> families.computeIfAbsent(one.labels().signal(), key -> new ArrayList<>()).add(one));
    for (Map.Entry<Signal, List<UsageSeries>> family : families.entrySet()) {
      String metric = family.getKey().metrics().getFirst();
      out.append("# TYPE ").append(metric).append(" gauge\n");
      for (UsageSeries one : family.getValue()) {
        String series = new SeriesText(metric, labels(one.labels())).toString();
        Samples samples = one.samples();
        for (int i = 0; i < samples.size(); i++) {
          out.append(series)
              .append(' ')
              .append(number(samples.value(i)))
              .append(' ')
              .append(seconds(samples.millis(i)))
              .append('\n');
        }
      }
    }
    out.append("# EOF\n");
  }

  /** The labels that say the same again; what told streams apart becomes an instance. */
  private static Map<String, String> labels(SeriesLabels series) {
    Map<String, String> labels = new LinkedHashMap<>();
    put(labels, "UUID", series.card());
    put(labels, "GPU_I_ID", series.migInstance());
    put(labels, "GPU_I_PROFILE", series.migProfile());
    switch (series.partition()) {
      case NONE -> {
        // A whole card, or NVIDIA's.
      }
      case FIRST -> put(labels, "gpu_compute_partition_type", "cpx");
      case LATER -> put(labels, "gpu_partition_id", "1");
    }
    put(labels, "modelName", series.model());
    put(labels, "Hostname", series.host());
    put(labels, "node", series.node());
    pod(labels, "exported_", series.claimed());
    pod(labels, "", series.plain());
    put(labels, "pod_uid", series.podUid());
    put(labels, "vgpu", series.virtual() ? "1" : "");
    put(labels, "job", series.job());
    put(labels, "instance", "stream-" + Long.toHexString(series.stream()));
    return labels;
  }

  private static void pod(Map<String, String> labels, String prefix, PodName pod) {
    put(labels, prefix + "namespace", pod.namespace());
    put(labels, prefix + "pod", pod.name());
  }

  private static void put(Map<String, String> labels, String name, String value) {
    if (!value.isEmpty()) {
      labels.put(name, value);
    }
  }

  private static String number(float value) {
    if (Float.isNaN(value)) {
      return "NaN";
    }
    if (Float.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e9
        ? Long.toString((long) value)
        : Float.toString(value);
  }

  private static String seconds(long millis) {
    long rest = Math.floorMod(millis, 1000L);
    String whole = Long.toString(Math.floorDiv(millis, 1000L));
    return rest == 0 ? whole : whole + "." + String.format("%03d", rest);
  }
}
