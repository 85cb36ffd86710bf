package dev.fallow.app.web;

import dev.fallow.app.output.Explanation;
import dev.fallow.app.output.WorkloadRow;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.PodFinding;
import dev.fallow.core.idle.UseCurve;
import dev.fallow.core.idle.UseCurves;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.server.fleet.WorkloadItem;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Workloads as the dashboard and the API show them. */
final class FleetItems {

  private static final int SPARK_POINTS = 60;

  private final Instant at;
  private final UseCurves curves;
  private final NextPause nextPause;

  FleetItems(Instant at, UseCurves curves, NextPause nextPause) {
    this.at = at;
    this.curves = curves;
    this.nextPause = nextPause;
  }

  WorkloadItem of(WorkloadRow row) {
    Decision decision = row.decision();
    Assessment assessment = decision.assessment();
    ObjectId root = assessment.workload().root();
    Optional<Keep> keep = Keep.standing(assessment.workload(), at);
    Map<String, Object> fields = named(root, stateOf(decision, keep));
    fields.putAll(row.fields());
    UseCurve curve =
        assessment.pods().stream()
            .filter(pod -> pod.pod().live())
            .flatMap(pod -> pod.devices().stream())
            .map(device -> curves.of(device.device()))
            .reduce(curves.unknown(), UseCurve::orHigher);
    fields.put("spark", PictureFields.spark(curve, SPARK_POINTS));
    fields.put("sparkStep", curve.step().toSeconds());
    fields.put("next", new Explanation(decision, at).next());
    nextPause.of(decision).ifPresent(when -> fields.put("pausesAt", when));
    keep.ifPresent(one -> fields.put("keep", fields(one)));
    return item(root, fields, assessment.verdict().name(), row.use(), assessment.idleSince());
  }

  /** One that is paused. It holds no GPU that could prove anything. */
  WorkloadItem paused(OwnerObject owner) {
    ObjectId workload = owner.workload();
    Map<String, Object> fields = named(workload, "PAUSED");
    fields.put("workload", workload.toString());
    fields.put("verdict", "UNKNOWN");
    fields.put("reason", RefusalReason.PAUSED_ALREADY.name());
    String reason = owner.annotations().getOrDefault(Annotations.PAUSE_REASON, "");
    fields.put("sentence", reason);
    fields.put("action", Action.NONE.name());
    int gpus = PauseNote.freedBy(owner).map(PauseNote::gpus).orElse(0);
    fields.put("gpus", gpus);
    fields.put("idleGpus", 0);
    fields.put(
        "models",
        PauseNote.freedBy(owner)
            .map(PauseNote::model)
            .filter(model -> !model.isEmpty())
            .map(List::of)
            .orElse(List.of()));
    fields.put("costPerHour", 0);
    fields.put("wastedPerHour", 0);
    Map<String, Object> pause = new LinkedHashMap<>();
    pause.put("at", owner.annotations().getOrDefault(Annotations.PAUSED_AT, ""));
    pause.put("by", owner.annotations().getOrDefault(Annotations.PAUSED_BY, ""));
    pause.put("reason", reason);
    pause.put("gpus", gpus);
    fields.put("pause", pause);
    fields.put("next", "nothing, until somebody resumes it");
    return item(workload, fields, "UNKNOWN", OptionalDouble.empty(), Optional.empty());
  }

  /** Kept is what its owner sees, also where it would not be paused for other reasons. */
  private static String stateOf(Decision decision, Optional<Keep> keep) {
    boolean idle = decision.assessment().verdict() instanceof Verdict.Idle;
    return idle && (keep.isPresent() || decision.action() == Action.KEEP)
        ? "KEPT"
        : decision.assessment().verdict().name();
  }

  private static Map<String, Object> named(ObjectId id, String state) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", id.toString());
    fields.put("namespace", id.namespace());
    fields.put("kind", id.qualifiedKind());
    fields.put("name", id.name());
    fields.put("state", state);
    return fields;
  }

  private static Map<String, Object> fields(Keep keep) {
    return Map.of("until", keep.until(), "by", keep.by(), "reason", keep.reason());
  }

  private static WorkloadItem item(
      ObjectId id,
      Map<String, Object> fields,
      String verdict,
      OptionalDouble use,
      Optional<Instant> idleSince) {
    String words =
        (id + " " + fields.get("models") + " " + fields.get("reason") + " " + fields.get("state"))
            .toLowerCase(Locale.ROOT);
    return new WorkloadItem(
        id.toString(),
        id.namespace(),
        id.qualifiedKind(),
        id.name(),
        String.valueOf(fields.get("state")),
        verdict,
        words,
        number(fields, "wastedPerHour"),
        number(fields, "costPerHour"),
        (int) number(fields, "gpus"),
        use,
        idleSince,
        fields);
  }

  private static double number(Map<String, Object> fields, String name) {
    return fields.get(name) instanceof Number number ? number.doubleValue() : 0;
  }

  /** The evidence behind a verdict, and each device's curve. */
  Map<String, Object> why(Decision decision) {
    Map<String, Object> fields = new Explanation(decision, at).fields();
    fields.put(
        "timeline",
        decision.assessment().pods().stream()
            .flatMap(pod -> pod.devices().stream().map(device -> line(pod, device)))
            .toList());
    return fields;
  }

  private Map<String, Object> line(PodFinding pod, DeviceFinding device) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("pod", pod.pod().id().name());
    line.put(
        "device",
        device.device().card()
            + (device.device().mig() ? " MIG " + device.device().migInstance() : ""));
    line.put("node", device.device().node());
    line.put("model", device.model());
    line.put("points", PictureFields.points(curves.of(device.device())));
    return line;
  }
}
