package dev.fallow.app.output;

import dev.fallow.app.Console;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.Durations;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.PodFinding;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The evidence behind one verdict: each pod, each device, each signal, and what happens next. */
public final class Explanation {

  private final Decision decision;
  private final Instant at;

  public Explanation(Decision decision, Instant at) {
    this.decision = decision;
    this.at = at;
  }

  private Assessment assessment() {
    return decision.assessment();
  }

  public void print(Console console) {
    Verdict verdict = assessment().verdict();
    line(
        console,
        0,
        Style.BOLD.on(Style.visible(assessment().workload().root().toString()), console.coloured())
            + "  "
            + VerdictStyle.style(verdict).on(verdict.name(), console.coloured())
            + "  "
            + decision.reason());
    line(console, 1, Style.visible(decision.sentence()));
    line(console, 1, "judged at " + at + " by this rule: " + rule());
    line(console, 1, "owned: " + Style.visible(chain()));
    for (PodFinding pod : assessment().pods()) {
      print(console, pod);
    }
    line(console, 1, "next: " + Style.visible(next()));
  }

  private void print(Console console, PodFinding pod) {
    console.out().println();
    line(console, 1, "pod " + Style.visible(describe(pod.pod())));
    pod.missing()
        .ifPresent(gap -> line(console, 2, gap.reason() + ": " + Style.visible(gap.sentence())));
    for (DeviceFinding device : pod.devices()) {
      line(
          console,
          2,
          Style.visible(device.device().toString())
              + (device.model().isEmpty() ? "" : ", " + Style.visible(device.model()))
              + (device.shared() ? ", shared by " + device.sharers() : "")
              + "  "
              + device.state());
      line(console, 3, "proof by " + device.main() + ": " + device.coverage());
      device.lastActive().ifPresent(when -> line(console, 3, "last active " + when));
      for (DeviceFinding.SignalFinding signal : device.signals()) {
        line(console, 3, signal(signal));
      }
    }
  }

  private static void line(Console console, int depth, String text) {
    console.out().println("  ".repeat(depth) + text);
  }

  private String rule() {
    IdleRule rule = assessment().rule();
    return "every signal of every GPU below "
        + String.format(Locale.ROOT, "%.3g", 100 * rule.idleThreshold())
        + " % for "
        + Durations.format(rule.window())
        + rule.powerThreshold().stream()
            .mapToObj(watts -> String.format(Locale.ROOT, " and below %.0f W", watts))
            .findFirst()
            .orElse("")
        + ", pods judged once they have run for "
        + Durations.format(rule.age());
  }

  private String chain() {
    List<String> steps = new ArrayList<>();
    steps.add(assessment().workload().pods().size() + " pod(s)");
    assessment().workload().chain().forEach(owner -> steps.add(owner.id().toString()));
    assessment().workload().brokenBy().ifPresent(why -> steps.add("(" + why + ")"));
    return String.join(" → ", steps);
  }

  private String describe(GpuPod pod) {
    String devices =
        pod.accelerators().resources().stream()
            .map(name -> pod.accelerators().byResource().get(name) + " × " + name)
            .reduce((a, b) -> a + ", " + b)
            .orElse("");
    return pod.id().name()
        + pod.node().map(node -> " on " + node).orElse(", not on any node")
        + ", "
        + pod.phase().name().toLowerCase(Locale.ROOT)
        + (pod.terminating() ? ", terminating" : "")
        + pod.clockStart().map(start -> " since " + start).orElse("")
        + ", holds "
        + devices;
  }

  private static String signal(DeviceFinding.SignalFinding signal) {
    String unit =
        switch (signal.signal().scale()) {
          case RATIO -> "";
          case PERCENT -> " %";
          case WATTS -> " W";
        };
    return String.format(
        Locale.ROOT,
        "%-16s %4d samples, mean %.3g%s, peak %.3g%s%s%s",
        signal.signal(),
        signal.samples(),
        signal.mean(),
        unit,
        signal.peak(),
        unit,
        signal.impossible() == 0 ? "" : ", " + signal.impossible() + " impossible",
        signal.active() ? "  ← active" : "");
  }

  /** What happens if nothing changes, and when. */
  public String next() {
    return switch (assessment().verdict()) {
      case Verdict.Busy busy -> "nothing; it is in use";
      case Verdict.Idle idle ->
          decision.action() == Action.PAUSE
              ? "pruning would pause it now"
              : "nothing: "
                  + decision.refusal().map(refusal -> refusal.sentence()).orElse("left alone");
      case Verdict.Unknown unknown ->
          judgedAt()
              .map(when -> "it can be judged from " + when + " on")
              .orElse("nothing, until what is missing is there");
    };
  }

  private Optional<Instant> judgedAt() {
    Duration age = assessment().rule().age();
    return assessment().pods().stream()
        .filter(pod -> pod.pod().live())
        .flatMap(pod -> pod.pod().clockStart().stream())
        .map(start -> start.plus(age))
        .max(Instant::compareTo)
        .filter(when -> when.isAfter(at));
  }

  public Map<String, Object> fields() {
    Map<String, Object> fields = DecisionFields.of(decision);
    fields.put("at", at);
    fields.put("window", assessment().rule().window());
    fields.put("judgedAfter", assessment().rule().age());
    fields.put("idleThreshold", assessment().rule().idleThreshold());
    fields.put(
        "owners",
        assessment().workload().chain().stream().map(owner -> owner.id().toString()).toList());
    fields.put("pods", assessment().pods().stream().map(Explanation::fields).toList());
    fields.put("next", next());
    return fields;
  }

  /** A head and a row for each signal of each GPU; one for what shows none. */
  public List<List<?>> rows() {
    List<List<?>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "workload",
            "verdict",
            "reason",
            "pod",
            "node",
            "device",
            "migInstance",
            "state",
            "covered",
            "signal",
            "samples",
            "mean",
            "peak",
            "active"));
    for (PodFinding pod : assessment().pods()) {
      List<Object> ofPod =
          List.of(
              assessment().workload().root(),
              assessment().verdict().name(),
              decision.reason(),
              pod.pod().id().name(),
              pod.pod().node().orElse(""));
      if (pod.devices().isEmpty()) {
        rows.add(row(ofPod, List.of("", "", "", false, "", "", "", "", "")));
      }
      for (DeviceFinding device : pod.devices()) {
        List<Object> ofDevice =
            List.of(
                device.device().card(),
                device.device().migInstance(),
                device.state(),
                device.coverage().complete());
        for (DeviceFinding.SignalFinding signal : device.signals()) {
          rows.add(
              row(
                  row(ofPod, ofDevice),
                  List.of(
                      signal.signal(),
                      signal.samples(),
                      signal.mean(),
                      signal.peak(),
                      signal.active())));
        }
      }
    }
    return rows;
  }

  private static List<Object> row(List<?> left, List<?> right) {
    List<Object> row = new ArrayList<>(left);
    row.addAll(right);
    return row;
  }

  private static Map<String, Object> fields(PodFinding finding) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("pod", finding.pod().id().name());
    fields.put("node", finding.pod().node());
    fields.put("phase", finding.pod().phase());
    fields.put("live", finding.pod().live());
    fields.put("since", finding.pod().clockStart());
    fields.put("asked", finding.pod().accelerators().byResource());
    finding
        .missing()
        .ifPresent(gap -> {
          fields.put("missing", gap.reason());
          fields.put("missingSentence", gap.sentence());
        });
    fields.put("devices", finding.devices().stream().map(Explanation::fields).toList());
    return fields;
  }

  private static Map<String, Object> fields(DeviceFinding device) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("device", device.device().card());
    fields.put("migInstance", device.device().migInstance());
    fields.put("node", device.device().node());
    fields.put("model", device.model());
    fields.put("state", device.state());
    fields.put("shared", device.shared());
    fields.put("main", device.main());
    fields.put("samples", device.coverage().samples());
    fields.put("promised", device.coverage().promised());
    fields.put("spacingSeconds", device.coverage().spacingMillis() / 1000.0);
    fields.put("longestGapSeconds", device.coverage().longestGapMillis() / 1000.0);
    fields.put("covered", device.coverage().complete());
    fields.put("lastActive", device.lastActive());
    fields.put(
        "signals",
        device.signals().stream()
            .map(signal -> {
              Map<String, Object> one = new LinkedHashMap<>();
              one.put("signal", signal.signal());
              one.put("samples", signal.samples());
              one.put("impossible", signal.impossible());
              one.put("mean", (double) signal.mean());
              one.put("peak", (double) signal.peak());
              one.put("active", signal.active());
              return one;
            })
            .toList());
    return fields;
  }
}
