package dev.fallow.app.cases;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.fallow.app.cases.CaseBuilder.Curve;
import dev.fallow.app.cases.CaseBuilder.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Busy, idle, unknown: what each needs, and which wins. */
final class VerdictCases {

  private static final String TRAINER = "Deployment/ml/trainer";

  private VerdictCases() {}

  static List<CaseBuilder> all() {
    List<CaseBuilder> cases = new ArrayList<>();
    cases.add(trainer("all-gpus-idle", p -> p.gpus(8).idle()).expectPaused(TRAINER));
    cases.add(
        trainer("all-gpus-busy", p -> p.gpus(8).busy())
            .expect(TRAINER, "BUSY", "GPU_ACTIVE", "NONE"));
    cases.add(oneBusyOf(8, 0));
    cases.add(oneBusyOf(8, 7));
    cases.add(replicas("one-busy-replica-of-ten", 10, 4));
    cases.add(signalAtThreshold("exactly-at-the-threshold-is-busy", 1, true));
    cases.add(signalAtThreshold("just-below-the-threshold-is-idle", 0.99, false));
    cases.add(
        trainer("a-lower-threshold-of-the-operator", p -> p.each(Curve.of(0.5)))
            .setting("idle-threshold", 0.001)
            .expectBusy(TRAINER));
    cases.add(
        trainer("a-higher-threshold-of-the-operator", p -> p.each(Curve.of(3)))
            .setting("idle-threshold", 0.05)
            .expectPaused(TRAINER));
    cases.add(
        trainer("one-short-burst-in-the-window", p -> p.each(Curve.once(ofMinutes(29), 55)))
            .expectBusy(TRAINER));
    cases.add(
        trainer("a-burst-just-before-the-window", p -> p.each(Curve.once(ofMinutes(30), 55)))
            .expectPaused(TRAINER));
    cases.add(
        trainer(
                "samples-after-the-moment-do-not-exist",
                p -> {
                  CaseBuilder built = p.idle();
                  p.signal(
                      "DCGM_FI_DEV_GPU_UTIL",
                      0,
                      ofSeconds(-30),
                      ofMinutes(-10),
                      ofSeconds(30),
                      Curve.of(90));
                  return built;
                })
            .expectPaused(TRAINER));
    for (String metric :
        List.of(
            "DCGM_FI_PROF_SM_ACTIVE",
            "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
            "DCGM_FI_PROF_DRAM_ACTIVE",
            "DCGM_FI_DEV_MEM_COPY_UTIL",
            "DCGM_FI_DEV_ENC_UTIL",
            "DCGM_FI_DEV_DEC_UTIL")) {
      Object value = metric.contains("PROF") ? (Object) 0.3 : (Object) 30;
      cases.add(
          trainer(
                  "only-" + metric.toLowerCase().replace('_', '-') + "-moves",
                  p -> {
                    CaseBuilder built = p.idle();
                    p.signal(metric, 0, Curve.once(ofMinutes(10), value));
                    return built;
                  })
              .expectBusy(TRAINER));
    }
    cases.add(trainer("power-does-not-count-unasked", p -> powered(p, 300)).expectPaused(TRAINER));
    cases.add(
        trainer("power-over-its-threshold", p -> powered(p, 300))
            .setting("power-threshold", 150)
            .expectBusy(TRAINER));
    cases.add(
        trainer("power-below-its-threshold", p -> powered(p, 60))
            .setting("power-threshold", 150)
            .expectPaused(TRAINER));
    young(cases);
    rollOut(cases);
    notLive(cases);
    cases.add(
        trainer(
                "a-window-of-two-hours",
                p -> {
                  CaseBuilder built =
                      p.silent()
                          .signal(
                              "DCGM_FI_DEV_GPU_UTIL",
                              0,
                              ofHours(4),
                              Duration.ZERO,
                              ofMinutes(1),
                              Curve.once(ofMinutes(100), 40));
                  return built;
                })
            .setting("duration", "2h")
            .expectBusy(TRAINER));
    cases.add(
        trainer(
                "a-window-of-twenty-seconds",
                p ->
                    p.silent()
                        .signal(
                            "DCGM_FI_DEV_GPU_UTIL",
                            0,
                            ofMinutes(10),
                            Duration.ZERO,
                            ofSeconds(1),
                            Curve.STILL))
            .setting("duration", "20s")
            .setting("grace-period", 0)
            .expectPaused(TRAINER));
    return cases;
  }

  private static void young(List<CaseBuilder> cases) {
    cases.add(
        trainer("a-minute-below-the-age", p -> p.startedAgo(ofMinutes(34)).idle())
            .expectUnknown(TRAINER, "RECENTLY_STARTED"));
    cases.add(
        trainer(
                "exactly-at-the-age",
                p -> p.startedAgo(ofMinutes(35)).readyAgo(ofMinutes(35)).idle())
            .expectPaused(TRAINER));
    cases.add(
        trainer(
                "ready-late-after-loading-weights",
                p -> p.startedAgo(ofHours(2)).readyAgo(ofMinutes(20)).idle())
            .expectUnknown(TRAINER, "RECENTLY_STARTED"));
    cases.add(
        trainer("never-ready-counts-from-its-start", p -> p.notReady().idle())
            .expectPaused(TRAINER));
    cases.add(
        trainer("a-young-pod-that-works", p -> p.startedAgo(ofMinutes(2)).busy())
            .expectBusy(TRAINER));
    cases.add(
        trainer("no-grace-period", p -> p.startedAgo(ofMinutes(31)).readyAgo(ofMinutes(31)).idle())
            .setting("grace-period", 0)
            .expectPaused(TRAINER));
    cases.add(
        trainer("no-start-known", p -> p.withoutContainerStatus().notReady().idle())
            .expectUnknown(TRAINER, "RECENTLY_STARTED"));
    CaseBuilder restarted = new CaseBuilder("a-container-that-restarted");
    PodBuilder pod = restarted.pod(restarted.deployment("ml", "trainer"), "trainer-1");
    pod.idle();
    pod.object()
        .status(
            "containerStatuses",
            List.of(
                Map.of(
                    "name",
                    "main",
                    "restartCount",
                    1,
                    "state",
                    Map.of(
                        "running",
                        Map.of("startedAt", CaseBuilder.AT.minus(ofMinutes(10)).toString())))));
    cases.add(restarted.expectUnknown(TRAINER, "RECENTLY_STARTED"));
    CaseBuilder former = new CaseBuilder("activity-before-the-start-was-anothers");
    former
        .pod(former.deployment("ml", "trainer"), "trainer-1")
        .startedAgo(ofMinutes(20))
        .each(ago -> ago.compareTo(ofMinutes(21)) > 0 ? 90 : 0);
    cases.add(former.expectUnknown(TRAINER, "RECENTLY_STARTED"));
  }

  private static void rollOut(List<CaseBuilder> cases) {
    CaseBuilder loading = new CaseBuilder("an-init-container-beside-a-sidecar-needs-both");
    PodBuilder loader = loading.pod(loading.deployment("ml", "trainer"), "trainer-1").gpus(2);
    loader.idle();
    Map<String, Object> sidecar = new HashMap<>(container("side", 1));
    sidecar.put("restartPolicy", "Always");
    loader
        .object()
        .spec("initContainers", List.of(sidecar, container("load", 2)))
        .spec("containers", List.of(container("main", 1)));
    cases.add(loading.expectUnknown(TRAINER, "SERIES_MISSING"));

    CaseBuilder pending = new CaseBuilder("a-pending-replica");
    Owner owner = pending.deployment("ml", "trainer");
    pending.pod(owner, "trainer-1").idle();
    pending.pod(owner, "trainer-2").phase("Pending").on("").createdAgo(ofMinutes(3)).silent();
    cases.add(pending.expectUnknown(TRAINER, "ROLLING_OUT"));

    CaseBuilder stuck = new CaseBuilder("a-replica-pending-for-a-day");
    Owner stuckOwner = stuck.deployment("ml", "trainer");
    stuck.pod(stuckOwner, "trainer-1").idle();
    stuck.pod(stuckOwner, "trainer-2").phase("Pending").on("").createdAgo(ofDays(1)).silent();
    cases.add(stuck.expectPaused(TRAINER));

    cases.add(
        trainer(
                "a-young-container-in-a-pod-pending-for-long",
                p -> p.whileASidecarWaits().createdAgo(ofHours(3)).startedAgo(ofMinutes(1)).idle())
            .expectUnknown(TRAINER, "RECENTLY_STARTED"));
    cases.add(
        trainer(
                "an-old-container-in-a-pod-pending-for-long",
                p -> p.whileASidecarWaits().createdAgo(ofHours(3)).startedAgo(ofHours(2)).idle())
            .expectPaused(TRAINER));

    cases.add(
        trainer(
                "a-container-that-has-not-started-for-an-hour",
                p -> p.phase("Pending").createdAgo(ofHours(1)).idle())
            .expectUnknown(TRAINER, "RECENTLY_STARTED"));
    CaseBuilder half = new CaseBuilder("one-container-of-two-that-has-not-started");
    PodBuilder halfPod = half.pod(half.deployment("ml", "trainer"), "trainer-1").gpus(2).notReady();
    halfPod.idle();
    halfPod.object().spec("containers", List.of(container("main", 1), container("second", 1)));
    halfPod
        .object()
        .status(
            "containerStatuses",
            List.of(
                Map.of("name", "main", "state", runningSince(ofDays(1))),
                Map.of(
                    "name",
                    "second",
                    "state",
                    Map.of("waiting", Map.of("reason", "CreateContainerError")))));
    cases.add(half.expectUnknown(TRAINER, "RECENTLY_STARTED"));

    CaseBuilder unobserved = new CaseBuilder("an-unobserved-generation");
    Owner top = unobserved.owner("apps/v1", "Deployment", "ml", "trainer", null);
    top.object().meta("generation", 7).status("observedGeneration", 6);
    unobserved.pod(unobserved.replicaSet(top, "5d4f"), "trainer-1").idle();
    cases.add(unobserved.expectUnknown(TRAINER, "ROLLING_OUT"));

    CaseBuilder observed = new CaseBuilder("an-observed-generation");
    Owner settled = observed.owner("apps/v1", "Deployment", "ml", "trainer", null);
    settled.object().meta("generation", 7).status("observedGeneration", 7);
    observed.pod(observed.replicaSet(settled, "5d4f"), "trainer-1").idle();
    cases.add(observed.expectPaused(TRAINER));

    CaseBuilder two = new CaseBuilder("two-revisions-for-a-day");
    Owner both = two.owner("apps/v1", "Deployment", "ml", "trainer", null);
    two.pod(two.replicaSet(both, "aaaa"), "trainer-1").idle();
    two.pod(two.replicaSet(both, "bbbb"), "trainer-2").idle();
    cases.add(two.expectPaused(TRAINER));

    CaseBuilder rolling = new CaseBuilder("two-revisions-since-a-minute");
    Owner roll = rolling.owner("apps/v1", "Deployment", "ml", "trainer", null);
    rolling.pod(rolling.replicaSet(roll, "aaaa"), "trainer-1").idle();
    rolling
        .pod(rolling.replicaSet(roll, "bbbb"), "trainer-2")
        .createdAgo(ofMinutes(33))
        .startedAgo(ofMinutes(50))
        .idle();
    cases.add(rolling.expectUnknown(TRAINER, "ROLLING_OUT"));
  }

  private static void notLive(List<CaseBuilder> cases) {
    CaseBuilder succeeded = new CaseBuilder("a-succeeded-pod-needs-no-proof");
    Owner owner = succeeded.deployment("ml", "trainer");
    succeeded.pod(owner, "trainer-1").idle();
    succeeded.pod(owner, "trainer-2").finishedAgo("Succeeded", ofHours(3)).silent();
    cases.add(succeeded.expectPaused(TRAINER));

    CaseBuilder testifies = new CaseBuilder("a-failed-pod-testifies");
    Owner failedOwner = testifies.deployment("ml", "trainer");
    testifies.pod(failedOwner, "trainer-1").idle();
    testifies
        .pod(failedOwner, "trainer-2")
        .finishedAgo("Failed", ofMinutes(10))
        .each(ago -> ago.compareTo(ofMinutes(10)) < 0 ? null : (Object) 70);
    cases.add(testifies.expectBusy(TRAINER));

    CaseBuilder handedOn = new CaseBuilder("a-finished-pods-card-works-for-another");
    Owner oldOwner = handedOn.deployment("ml", "trainer");
    handedOn.pod(oldOwner, "trainer-1").idle();
    handedOn
        .pod(oldOwner, "trainer-2")
        .on("shared-node")
        .finishedAgo("Succeeded", ofMinutes(25))
        .each(ago -> ago.compareTo(ofMinutes(25)) < 0 ? null : (Object) 0);
    handedOn
        .pod(handedOn.deployment("ml", "other"), "other-1")
        .on("shared-node")
        .startedAgo(ofMinutes(20))
        .each(ago -> ago.compareTo(ofMinutes(20)) >= 0 ? null : (Object) 90);
    cases.add(handedOn.expectPaused(TRAINER).expectBusy("Deployment/ml/other"));

    CaseBuilder terminating = new CaseBuilder("a-terminating-pod-needs-no-proof");
    Owner endingOwner = terminating.deployment("ml", "trainer");
    terminating.pod(endingOwner, "trainer-1").idle();
    PodBuilder ending = terminating.pod(endingOwner, "trainer-2");
    ending.object().meta("deletionTimestamp", CaseBuilder.AT.minusSeconds(20).toString());
    ending.silent();
    cases.add(terminating.expectPaused(TRAINER));

    CaseBuilder again = new CaseBuilder("a-terminating-pod-that-restarted-once-testifies");
    Owner againOwner = again.deployment("ml", "trainer");
    again.pod(againOwner, "trainer-1").idle();
    PodBuilder onceMore = again.pod(againOwner, "trainer-2");
    onceMore.busy();
    onceMore
        .object()
        .meta("deletionTimestamp", CaseBuilder.AT.minusSeconds(20).toString())
        .status(
            "containerStatuses",
            List.of(
                Map.of(
                    "name",
                    "main",
                    "restartCount",
                    1,
                    "state",
                    runningSince(ofHours(2)),
                    "lastState",
                    Map.of(
                        "terminated",
                        Map.of(
                            "startedAt",
                            CaseBuilder.AT.minus(ofHours(6)).toString(),
                            "finishedAt",
                            CaseBuilder.AT.minus(ofHours(3)).toString())))));
    cases.add(again.expectBusy(TRAINER));

    CaseBuilder before = new CaseBuilder("what-a-terminating-pod-did-before-its-restart-testifies");
    Owner beforeOwner = before.deployment("ml", "trainer");
    before.pod(beforeOwner, "trainer-1").idle();
    PodBuilder restarted =
        before.pod(beforeOwner, "trainer-2").startedAgo(ofMinutes(10)).createdAgo(ofHours(6));
    restarted.object().meta("deletionTimestamp", CaseBuilder.AT.minusSeconds(20).toString());
    restarted.each(ago -> ago.compareTo(ofMinutes(12)) > 0 ? 80 : 0);
    cases.add(before.expectBusy(TRAINER));

    CaseBuilder done = new CaseBuilder("nothing-alive-is-never-paused");
    done.pod(done.deployment("ml", "trainer"), "trainer-1")
        .finishedAgo("Succeeded", ofHours(1))
        .silent();
    cases.add(done.expect(TRAINER, "UNKNOWN", "NO_LIVE_POD", "NONE"));
  }

  private static Map<String, Object> container(String name, int gpus) {
    return Map.of(
        "name",
        name,
        "resources",
        Map.of("limits", Map.of("nvidia.com/gpu", Integer.toString(gpus))));
  }

  private static Map<String, Object> runningSince(Duration ago) {
    return Map.of("running", Map.of("startedAt", CaseBuilder.AT.minus(ago).toString()));
  }

  private static CaseBuilder powered(PodBuilder pod, int watts) {
    CaseBuilder built = pod.idle();
    pod.signal("DCGM_FI_DEV_POWER_USAGE", 0, Curve.of(watts));
    return built;
  }

  private static CaseBuilder oneBusyOf(int gpus, int busy) {
    CaseBuilder built = new CaseBuilder("gpu-" + busy + "-busy-of-" + gpus);
    PodBuilder pod = built.pod(built.deployment("ml", "trainer"), "trainer-1").gpus(gpus).silent();
    for (int index = 0; index < gpus; index++) {
      pod.engineAndUtil(index, Curve.of(index == busy ? 0.4 : 0), Curve.of(index == busy ? 40 : 0));
    }
    return built.expect(TRAINER, "BUSY", "PARTLY_BUSY", "NONE");
  }

  private static CaseBuilder replicas(String name, int replicas, int busy) {
    CaseBuilder built = new CaseBuilder(name);
    Owner owner = built.deployment("ml", "trainer");
    for (int replica = 0; replica < replicas; replica++) {
      PodBuilder pod = built.pod(owner, "trainer-" + replica);
      if (replica == busy) {
        pod.busy();
      } else {
        pod.idle();
      }
    }
    return built.expect(TRAINER, "BUSY", "PARTLY_BUSY", "NONE");
  }

  private static CaseBuilder signalAtThreshold(String name, double percent, boolean busy) {
    CaseBuilder built = trainer(name, p -> p.each(Curve.of(percent)));
    return busy ? built.expectBusy(TRAINER) : built.expectPaused(TRAINER);
  }

  interface Pod {
    CaseBuilder make(PodBuilder pod);
  }

  static CaseBuilder trainer(String name, Pod pod) {
    CaseBuilder built = new CaseBuilder(name);
    return pod.make(built.pod(built.deployment("ml", "trainer"), "trainer-1"));
  }
}
