package dev.fallow.server.metrics;

import dev.fallow.core.fleet.Accelerators;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decisions made by hand: a Deployment with one pod whose cards are A100s of 80 GB. */
final class Decisions {

  static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");
  static final Verdict IDLE = new Verdict.Idle("still");
  static final Verdict BUSY = new Verdict.Busy(Reason.GPU_ACTIVE, "works");
  static final Verdict UNKNOWN = new Verdict.Unknown(Reason.SERIES_MISSING, "unseen");

  private Decisions() {}

  static ObjectId deployment(String name) {
    return new ObjectId("apps", "Deployment", "ml", name, "uid-" + name);
  }

  static Decision paused(String name, int gpus) {
    return of(name, IDLE, gpus, "card-" + name, Action.PAUSE, Optional.empty());
  }

  static Decision busy(String name, int gpus) {
    return of(name, BUSY, gpus, "card-" + name, Action.NONE, Optional.empty());
  }

  static Decision unknown(String name, int gpus) {
    return of(name, UNKNOWN, gpus, "card-" + name, Action.NONE, Optional.empty());
  }

  static Decision refused(String name, int gpus, RefusalReason reason) {
    Action action = reason == RefusalReason.ACKNOWLEDGED ? Action.KEEP : Action.NONE;
    return of(name, IDLE, gpus, "card-" + name, action, Optional.of(new Refusal(reason, "so")));
  }

  /** Idle on a card that others hold too. */
  static Decision sharing(String name, String card) {
    return of(name, IDLE, 1, card, Action.PAUSE, Optional.empty());
  }

  private static Decision of(
      String name,
      Verdict verdict,
      int gpus,
      String card,
      Action action,
      Optional<Refusal> refusal) {
    GpuPod pod =
        new GpuPod(
            new ObjectId("", "Pod", "ml", name + "-0", "pod-" + name),
            List.of(),
            Optional.of("node-1"),
            Optional.empty(),
            GpuPod.Phase.RUNNING,
            false,
            Optional.of(AT.minusSeconds(90_000)),
            Optional.of(AT.minusSeconds(90_000)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            "",
            new Accelerators(Map.of("nvidia.com/gpu", gpus)),
            Map.of(),
            Map.of());
    List<DeviceFinding> devices = new ArrayList<>();
    for (int i = 0; i < gpus && verdict != UNKNOWN; i++) {
      devices.add(device(card + "-" + i, verdict));
    }
    Workload workload = new Workload(deployment(name), List.of(), List.of(pod), Optional.empty());
    return new Decision(
        new Assessment(
            workload,
            IdleRule.DEFAULT,
            verdict,
            List.of(new PodFinding(pod, devices, Optional.empty())),
            verdict == IDLE ? Optional.of(AT.minusSeconds(3600)) : Optional.empty(),
            Course.of(Trace.NOTHING),
            Optional.empty()),
        action,
        refusal);
  }

  private static DeviceFinding device(String card, Verdict verdict) {
    return new DeviceFinding(
        new DeviceId("node-1", card, ""),
        "NVIDIA A100-SXM4-80GB",
        "",
        SeriesLabels.Partition.NONE,
        false,
        false,
        1,
        verdict == IDLE ? DeviceFinding.State.IDLE : DeviceFinding.State.BUSY,
        Signal.GR_ENGINE_ACTIVE,
        new Coverage(60, 60, 30_000, 30_000, true),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty());
  }
}
