package dev.fallow.core.ledger;

import dev.fallow.core.fleet.Accelerators;
import dev.fallow.core.fleet.CardParts;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.Teams;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.Course;
import dev.fallow.core.idle.Coverage;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.DeviceId;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.PodFinding;
import dev.fallow.core.idle.Reason;
import dev.fallow.core.idle.SeriesLabels;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Trace;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.Refusal;
import dev.fallow.core.prune.RefusalReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** A look at a fleet, put together by what each pod asked for and what its devices show. */
final class LookBuilder {

  static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  static final String MODEL = "NVIDIA A100-SXM4-40GB";

  private static final IdleRule RULE =
      new IdleRule(Duration.ofMinutes(30), Duration.ofMinutes(5), 0.01, OptionalDouble.empty());

  private final Span span;
  private final List<Decision> decisions = new ArrayList<>();
  private final List<Paused> paused = new ArrayList<>();
  private final Set<String> sharingNodes = new HashSet<>();
  private final Set<String> spotNodes = new HashSet<>();
  private Teams teams = Teams.NONE;

  LookBuilder(Instant from, Duration length) {
    this.span = new Span(from, from.plus(length));
  }

  static ObjectId workload(String name) {
    return new ObjectId("apps", "Deployment", "ml", name, "uid-" + name);
  }

  LookBuilder sharing(String node) {
    sharingNodes.add(node);
    return this;
  }

  LookBuilder spot(String node) {
    spotNodes.add(node);
    return this;
  }

  LookBuilder team(String namespace, String team) {
    teams = new Teams(Map.of(namespace, team));
    return this;
  }

  /** A workload that was paused while it held so many whole cards. */
  static Paused off(String name, String model, int gpus, Instant since) {
    return new Paused(workload(name), "", model, false, (long) gpus * CardParts.WHOLE, since);
  }

  LookBuilder paused(Paused workload) {
    paused.add(workload);
    return this;
  }

  LookBuilder workload(String name, Verdict verdict, Action action, PodFinding... pods) {
    Workload workload =
        new Workload(
            workload(name),
            List.of(),
            List.of(pods).stream().map(PodFinding::pod).toList(),
            Optional.empty());
    Assessment assessment =
        new Assessment(
            workload,
            RULE,
            verdict,
            List.of(pods),
            Optional.empty(),
            Course.of(Trace.NOTHING),
            Optional.empty());
    Optional<Refusal> refusal =
        action == Action.KEEP
            ? Optional.of(new Refusal(RefusalReason.ACKNOWLEDGED, "kept"))
            : Optional.empty();
    decisions.add(new Decision(assessment, action, refusal));
    return this;
  }

  LookBuilder busy(String name, PodFinding... pods) {
    return workload(name, new Verdict.Busy(Reason.GPU_ACTIVE, "works"), Action.NONE, pods);
  }

  LookBuilder idle(String name, PodFinding... pods) {
    return workload(name, new Verdict.Idle("is still"), Action.PAUSE, pods);
  }

  LookBuilder kept(String name, PodFinding... pods) {
    return workload(name, new Verdict.Idle("is still"), Action.KEEP, pods);
  }

  LookBuilder unknown(String name, Reason reason, PodFinding... pods) {
    return workload(name, new Verdict.Unknown(reason, "who knows"), Action.NONE, pods);
  }

  static PodFinding pod(
      String name, Instant bound, Map<String, Integer> asked, DeviceFinding... devices) {
    return new PodFinding(
        gpuPod(name, Optional.of("n1"), Optional.of(bound), GpuPod.Phase.RUNNING, asked),
        List.of(devices),
        Optional.empty());
  }

  static GpuPod gpuPod(
      String name,
      Optional<String> node,
      Optional<Instant> bound,
      GpuPod.Phase phase,
      Map<String, Integer> asked) {
    return new GpuPod(
        new ObjectId("", "Pod", "ml", name, "uid-" + name),
        List.of(),
        node,
        bound,
        phase,
        false,
        Optional.of(NOON.minus(Duration.ofDays(3))),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        new Accelerators(asked),
        Map.of(),
        Map.of());
  }

  static DeviceFinding device(String card, DeviceFinding.State state) {
    return device(card, "", state);
  }

  static DeviceFinding device(String card, String profile, DeviceFinding.State state) {
    return device(card, profile, 1, state);
  }

  static DeviceFinding device(String card, String profile, int sharers, DeviceFinding.State state) {
    return new DeviceFinding(
        new DeviceId("n1", card, profile.isEmpty() ? "" : "instance-" + profile),
        MODEL,
        profile,
        SeriesLabels.Partition.NONE,
        false,
        sharers > 1,
        sharers,
        state,
        Signal.GPU_UTIL,
        new Coverage(60, 60, 30_000, 30_000, true),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }

  Look build() {
    return new Look(span, decisions, sharingNodes, spotNodes, teams, paused);
  }
}
