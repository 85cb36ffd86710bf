package dev.fallow.sim;

import dev.fallow.core.idle.Signal;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/** What an exporter answers to a scrape: the newest look at its node's cards, as text. */
final class ExporterText {

  private final LabelForm form;
  private final FleetSeries series;

  ExporterText(SimulatedFleet fleet, LabelForm form) {
    this.form = form;
    this.series =
        new FleetSeries(
            fleet, form, new SeriesNames(form)::exposed, EnumSet.allOf(Signal.class), Noise.NONE);
  }

  /** Nothing while the exporter does not answer. */
  String of(SimNode node, long at) {
    OptionalLong look = node.exporter().newest(at);
    if (look.isEmpty()) {
      return "";
    }
    Map<String, StringBuilder> families = new LinkedHashMap<>();
    series.ofNode(
        node,
        look.getAsLong(),
        one -> {
          add(families, one.metric(), one.labels(), one.value(0));
          if (one.signal() == Signal.POWER) {
            memory(families, node.model(), one.labels());
          }
        });
    StringBuilder text = new StringBuilder();
    families.forEach((metric, samples) ->
        text.append("# HELP ")
            .append(metric)
            .append(' ')
            .append(metric)
            .append(" (simulated).\n")
            .append("# TYPE ")
            .append(metric)
            .append(" gauge\n")
            .append(samples));
    return text.toString();
  }

  /** No signal, but always there: a card that is held has memory in use. */
  private void memory(
      Map<String, StringBuilder> families, GpuModel model, Map<String, String> labels) {
    boolean held = !labels.getOrDefault("pod", labels.getOrDefault("pod_name", "")).isEmpty();
    double used = held ? Math.rint(0.62 * model.memoryMiB()) : 4;
    boolean old = form == LabelForm.OLD_NAMES;
    if (model.amd()) {
      add(families, "gpu_used_vram", labels, used);
      add(families, "gpu_total_vram", labels, model.memoryMiB());
    } else {
      add(families, old ? "dcgm_fb_used" : "DCGM_FI_DEV_FB_USED", labels, used);
      add(families, old ? "dcgm_fb_free" : "DCGM_FI_DEV_FB_FREE", labels, model.memoryMiB() - used);
    }
  }

  private static void add(
      Map<String, StringBuilder> families,
      String metric,
      Map<String, String> labels,
      double value) {
    StringBuilder family = families.computeIfAbsent(metric, name -> new StringBuilder());
    SeriesText.append(family, metric, labels);
    SeriesText.append(family, value);
    family.append('\n');
  }
}
