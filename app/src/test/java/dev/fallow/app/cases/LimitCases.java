package dev.fallow.app.cases;

import static java.time.Duration.ofMinutes;

import dev.fallow.app.cases.CaseBuilder.Curve;
import dev.fallow.app.cases.CaseBuilder.Owner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What keeps a bad day from emptying a cluster: budgets, plausibility, and what others undo. */
final class LimitCases {

  private static final Curve STOPPED_LATELY = ago -> ago.compareTo(ofMinutes(35)) > 0 ? 80 : 0;
  private static final Curve STOPPED_BEFORE = ago -> ago.compareTo(ofMinutes(65)) > 0 ? 80 : 0;

  private LimitCases() {}

  static List<CaseBuilder> all() {
    List<CaseBuilder> cases = new ArrayList<>();
    budgets(cases);
    plausibility(cases);
    undone(cases);
    return cases;
  }

  private static void budgets(List<CaseBuilder> cases) {
    CaseBuilder cycle = fleet("the-greatest-waste-goes-first", 3, 0, Curve.STILL);
    cycle.pod(cycle.deployment("ml", "large"), "large-1").on("n9").gpus(8).idle();
    cases.add(
        cycle
            .setting("max-pauses-per-cycle", 1)
            .expectPaused("Deployment/ml/large")
            .expectRefused("Deployment/team0/idle0", "BUDGET_SPENT")
            .expectRefused("Deployment/team1/idle1", "BUDGET_SPENT")
            .expectRefused("Deployment/team2/idle2", "BUDGET_SPENT"));
    CaseBuilder share = new CaseBuilder("one-workload-of-a-small-namespace-an-hour");
    share.pod(share.deployment("ml", "large"), "large-1").on("n1").gpus(8).idle();
    share.pod(share.deployment("ml", "small"), "small-1").on("n2").idle();
    share.pod(share.deployment("other", "small"), "small-2").on("n3").idle();
    cases.add(
        share
            .setting("max-share-per-namespace", "10%")
            .expectPaused("Deployment/ml/large")
            .expectPaused("Deployment/other/small")
            .expectRefused("Deployment/ml/small", "BUDGET_SPENT"));
    cases.add(afterAPause("a-pause-within-the-hour-is-counted", "2026-11-02T11:00:01Z", true));
    cases.add(afterAPause("a-pause-of-an-hour-ago-is-not", "2026-11-02T11:00:00Z", false));
    cases.add(afterAResume("a-pause-that-somebody-undid-is-counted", "11:10:00", true, false));
    cases.add(afterAResume("a-pause-that-we-resumed-is-counted", "11:10:00", true, true));
    cases.add(afterAResume("a-resume-of-an-hour-ago-is-not-counted", "11:00:00", false, true));
    CaseBuilder kept = new CaseBuilder("what-is-kept-spends-no-budget");
    Owner large = kept.deployment("ml", "large");
    large.object().annotation("fallow.dev/keep-until", "2026-11-03T12:00:00Z");
    kept.pod(large, "large-1").on("n1").gpus(8).idle();
    kept.pod(kept.deployment("ml", "small"), "small-1").on("n2").idle();
    cases.add(
        kept.setting("max-pauses-per-cycle", 1)
            .expect("Deployment/ml/large", "IDLE", "ACKNOWLEDGED", "KEEP")
            .expectPaused("Deployment/ml/small"));
  }

  /** The namespace has two workloads; one of them was paused some time ago. */
  private static CaseBuilder afterAPause(String name, String when, boolean counts) {
    CaseBuilder built = new CaseBuilder(name).setting("max-share-per-namespace", 0.1);
    Owner paused = built.statefulSet("ml", "asleep");
    paused
        .object()
        .spec("replicas", 0)
        .annotations(Map.of("fallow.dev/paused-at", when, "fallow.dev/action-id", "a1"));
    built.pod(built.deployment("ml", "small"), "small-1").on("n2").idle();
    return counts
        ? built.expectRefused("Deployment/ml/small", "BUDGET_SPENT")
        : built.expectPaused("Deployment/ml/small");
  }

  /** One workload was paused and is back; no other mark of that is left, and it works again. */
  private static CaseBuilder afterAResume(String name, String time, boolean counts, boolean byUs) {
    CaseBuilder built = new CaseBuilder(name).setting("max-share-per-namespace", 0.1);
    Owner back = built.statefulSet("ml", "back");
    String when = "2026-11-02T" + time + "Z";
    if (byUs) {
      back.object().meta("managedFields", switchedByUs(when));
    } else {
      back.object().annotation("fallow.dev/undone", "0 kubectl-scale " + when);
    }
    built.pod(back, "back-1").on("n1").busy();
    built.pod(built.deployment("ml", "small"), "small-1").on("n2").idle();
    built.expectBusy("StatefulSet/ml/back");
    return counts
        ? built.expectRefused("Deployment/ml/small", "BUDGET_SPENT")
        : built.expectPaused("Deployment/ml/small");
  }

  private static List<Map<String, Object>> switchedByUs(String when) {
    return List.of(
        Map.of(
            "manager",
            "fallow",
            "time",
            when,
            "fieldsV1",
            Map.of("f:spec", Map.of("f:replicas", Map.of()))));
  }

  private static void plausibility(List<CaseBuilder> cases) {
    CaseBuilder blind = fleet("too-few-gpus-with-samples", 4, 0, Curve.STILL);
    blind.pod(blind.deployment("dark", "a"), "a-1").on("n8").gpus(2).silent();
    refusedOrPaused(blind.setting("min-fleet-coverage", "80%"), 4, "FLEET_IMPLAUSIBLE");
    cases.add(blind.expect("Deployment/dark/a", "UNKNOWN", "SERIES_MISSING", "NONE"));
    CaseBuilder enough = fleet("enough-gpus-with-samples", 4, 0, Curve.STILL);
    enough.pod(enough.deployment("dark", "a"), "a-1").on("n8").silent();
    refusedOrPaused(enough.setting("min-fleet-coverage", "80%"), 4, "");
    cases.add(enough.expect("Deployment/dark/a", "UNKNOWN", "SERIES_MISSING", "NONE"));

    cases.add(sudden("everything-stops-at-once", 4, 0, STOPPED_LATELY, "50%", true));
    cases.add(sudden("more-than-half-stops-at-once", 3, 2, STOPPED_LATELY, "50%", true));
    cases.add(sudden("half-of-it-stops", 2, 2, STOPPED_LATELY, "50%", false));
    cases.add(sudden("stillness-since-long-ago", 4, 0, Curve.STILL, "50%", false));
    cases.add(sudden("a-stop-that-is-not-a-window-past", 4, 0, STOPPED_BEFORE, "50%", true));
    cases.add(doubted("a-fall-of-hours-ago-that-is-still-in-doubt", 4, 3, true));
    cases.add(doubted("as-many-at-work-again-as-in-doubt", 3, 3, false));
    cases.add(hurried("a-fault-is-sooner-a-window-old-where-windows-are-short", 1, 3));
    cases.add(hurried("one-that-ended-while-others-work-on", 1, 0));
    cases.add(timeSliced());
    cases.add(cutCards());
    CaseBuilder accepted = fleet("a-stop-that-a-person-vouches-for", 2, 1, STOPPED_LATELY);
    for (String namespace : List.of("team0", "team1")) {
      accepted.namespace(
          namespace, Map.of("fallow.dev/stillness-accepted-until", "2026-11-02T13:00:00Z"));
    }
    refusedOrPaused(accepted.setting("max-idle-share", "50%"), 2, "");
    cases.add(accepted.expectBusy("Deployment/busy/busy0"));
  }

  /**
   * Twelve minutes ago some of those at work went still; by the usual window they are at work, by
   * their namespace's not all.
   */
  private static CaseBuilder hurried(String name, int hurried, int others) {
    Curve stoppedJustNow = ago -> ago.compareTo(ofMinutes(16)) > 0 ? 80 : 0;
    CaseBuilder built =
        new CaseBuilder(name)
            .setting("max-idle-share", "50%")
            .namespace("dev", Map.of("fallow.dev/idle-window", "10m"));
    for (int i = 0; i < hurried; i++) {
      built
          .pod(built.deployment("dev", "dev" + i), "dev" + i + "-1")
          .on("d" + i)
          .each(stoppedJustNow);
      if (others > 0) {
        built.expectRefused("Deployment/dev/dev" + i, "FLEET_IMPLAUSIBLE");
      } else {
        built.expectPaused("Deployment/dev/dev" + i);
      }
    }
    for (int i = 0; i < 3; i++) {
      built
          .pod(built.deployment("ml", "ml" + i), "ml" + i + "-1")
          .on("m" + i)
          .each(i < others ? stoppedJustNow : ago -> 80);
      built.expectBusy("Deployment/ml/ml" + i);
    }
    return built;
  }

  /** An exporter often names one of the pods that share a card; the card itself is seen. */
  private static CaseBuilder timeSliced() {
    CaseBuilder built =
        new CaseBuilder("parts-of-a-card-that-is-seen").setting("min-fleet-coverage", "80%");
    for (int i = 0; i < 4; i++) {
      PodBuilder pod =
          built
              .pod(built.deployment("ml", "part" + i), "part" + i + "-1")
              .on("n1")
              .resource("nvidia.com/gpu.shared", 1);
      if (i == 0) {
        pod.idle();
        built.expectPaused("Deployment/ml/part0");
      } else {
        pod.silent();
        built.expectUnknown("Deployment/ml/part" + i, "SERIES_MISSING");
      }
    }
    return built;
  }

  /** Of the later parts of AMD's cards no exporter tells activity, however well it works. */
  private static CaseBuilder cutCards() {
    CaseBuilder built =
        new CaseBuilder("parts-of-cards-that-nobody-measures").setting("min-fleet-coverage", "80%");
    built.pod(built.deployment("ml", "whole"), "whole-1").on("n1").idle();
    built.expectPaused("Deployment/ml/whole");
    for (int i = 0; i < 8; i++) {
      String number = Integer.toString(i);
      PodBuilder pod =
          built
              .pod(built.deployment("amd", "part" + i), "part" + i + "-1")
              .on("n2")
              .form(LabelForm.AMD)
              .resource("amd.com/gpu", 1)
              .silent()
              .relabel(labels -> {
                Map<String, String> part = new HashMap<>(labels);
                part.put("gpu_id", number);
                part.put("gpu_partition_id", number);
                part.put("gpu_compute_partition_type", "cpx");
                return part;
              });
      if (i == 0) {
        pod.then(List.of("gpu_gfx_activity"), Curve.of(40)).done();
        built.expectBusy("Deployment/amd/part0");
      } else if (i < 4) {
        pod.then(List.of("gpu_gfx_activity"), Curve.STILL).done();
        built.expectUnknown("Deployment/amd/part" + i, "COVERAGE_TOO_LOW");
      } else {
        built.expectUnknown("Deployment/amd/part" + i, "SERIES_MISSING");
      }
    }
    return built;
  }

  /** They went still together hours ago; the samples of before are not read any more. */
  private static CaseBuilder doubted(String name, int still, int busy, boolean refused) {
    CaseBuilder built = new CaseBuilder(name).setting("max-idle-share", "50%");
    for (int i = 0; i < still; i++) {
      Owner owner = built.statefulSet("team" + i, "idle" + i);
      owner.object().annotation("fallow.dev/doubted-since", "2026-11-02T03:00:00Z");
      built.pod(owner, "idle" + i + "-1").on("n" + i).idle();
      String workload = "StatefulSet/team" + i + "/idle" + i;
      if (refused) {
        built.expectRefused(workload, "FLEET_IMPLAUSIBLE");
      } else {
        built.expectPaused(workload);
      }
    }
    for (int i = 0; i < busy; i++) {
      built.pod(built.deployment("busy", "busy" + i), "busy" + i + "-1").on("b" + i).busy();
      built.expectBusy("Deployment/busy/busy" + i);
    }
    return built;
  }

  private static CaseBuilder sudden(
      String name, int idle, int busy, Curve past, String limit, boolean refused) {
    CaseBuilder built = fleet(name, idle, busy, past).setting("max-idle-share", limit);
    refusedOrPaused(built, idle, refused ? "FLEET_IMPLAUSIBLE" : "");
    for (int i = 0; i < busy; i++) {
      built.expectBusy("Deployment/busy/busy" + i);
    }
    return built;
  }

  private static void refusedOrPaused(CaseBuilder built, int idle, String refusal) {
    for (int i = 0; i < idle; i++) {
      String workload = "Deployment/team" + i + "/idle" + i;
      if (refusal.isEmpty()) {
        built.expectPaused(workload);
      } else {
        built.expectRefused(workload, refusal);
      }
    }
  }

  private static CaseBuilder fleet(String name, int idle, int busy, Curve past) {
    CaseBuilder built = new CaseBuilder(name);
    for (int i = 0; i < idle; i++) {
      built.pod(built.deployment("team" + i, "idle" + i), "idle" + i + "-1").on("n" + i).each(past);
    }
    for (int i = 0; i < busy; i++) {
      built.pod(built.deployment("busy", "busy" + i), "busy" + i + "-1").on("b" + i).busy();
    }
    return built;
  }

  private static void undone(List<CaseBuilder> cases) {
    CaseBuilder untold = new CaseBuilder("a-notice-that-nobody-was-given");
    untold.pod(untold.statefulSet("ml", "trainer"), "trainer-1").on("n1").idle();
    cases.add(
        untold
            .setting("ack-grace-period", 3600)
            .expectRefused("StatefulSet/ml/trainer", "NOTICE_UNDELIVERED"));
    cases.add(scaledBy("an-autoscaler-holds-it-at-zero", "0", true));
    cases.add(scaledBy("an-autoscaler-that-holds-it-at-two", "2", false));
    cases.add(undone("undone-once-is-no-contest", "1 argocd-controller 2026-11-02T09:00:00Z", ""));
    cases.add(undone("undone-twice", "2 argocd-controller 2026-11-02T09:00:00Z", "CONTESTED"));
    cases.add(
        undone(
            "a-person-woke-it-lately", "0 kubectl-scale 2026-11-02T11:45:00Z", "RESUMED_LATELY"));
    cases.add(undone("a-person-woke-it-long-ago", "0 kubectl-scale 2026-11-02T11:29:00Z", ""));
    cases.add(undone("an-undone-that-cannot-be-read", "banana", ""));
    cases.add(
        undone("nobody-can-be-named-lately", "1 somebody 2026-11-02T11:45:00Z", "RESUMED_LATELY"));
    cases.add(undone("nobody-can-be-named-once", "1 somebody 2026-11-02T09:00:00Z", ""));
    cases.add(undone("nobody-can-be-named-twice", "2 somebody 2026-11-02T09:00:00Z", "CONTESTED"));
    cases.add(
        undoneAtScaler(
            "undone-twice-at-what-scales-it",
            "2 argocd-controller 2026-11-02T09:00:00Z",
            "CONTESTED"));
    cases.add(
        undoneAtScaler(
            "a-person-woke-lately-what-scales-it",
            "0 kubectl-edit 2026-11-02T11:45:00Z",
            "RESUMED_LATELY"));
    CaseBuilder ours = new CaseBuilder("resumed-by-us-lately");
    Owner owner = ours.statefulSet("ml", "trainer");
    owner.object().meta("managedFields", switchedByUs("2026-11-02T11:45:00Z"));
    ours.pod(owner, "trainer-1").on("n1").idle();
    cases.add(ours.expectRefused("StatefulSet/ml/trainer", "RESUMED_LATELY"));
  }

  private static CaseBuilder scaledBy(String name, String pausedReplicas, boolean stopped) {
    CaseBuilder built =
        scaled(
            name,
            Map.of(
                "autoscaling.keda.sh/paused-replicas",
                pausedReplicas,
                "fallow.dev/paused-at",
                "2026-11-02T09:00:00Z"));
    return stopped
        ? built.expectRefused("StatefulSet/ml/trainer", "PAUSED_ALREADY")
        : built.expectPaused("StatefulSet/ml/trainer");
  }

  private static CaseBuilder undoneAtScaler(String name, String mark, String refusal) {
    return scaled(name, Map.of("fallow.dev/undone", mark))
        .expectRefused("StatefulSet/ml/trainer", refusal);
  }

  private static CaseBuilder scaled(String name, Map<String, String> annotations) {
    CaseBuilder built = new CaseBuilder(name);
    built.pod(built.statefulSet("ml", "trainer"), "trainer-1").on("n1").idle();
    Objects scaler = Objects.of("keda.sh/v1alpha1", "ScaledObject", "ml", "scaler", built.uid());
    annotations.forEach(scaler::annotation);
    built.object(
        scaler
            .spec(
                "scaleTargetRef",
                Map.of("apiVersion", "apps/v1", "kind", "StatefulSet", "name", "trainer"))
            .map());
    return built;
  }

  private static CaseBuilder undone(String name, String mark, String refusal) {
    CaseBuilder built = new CaseBuilder(name);
    Owner owner = built.statefulSet("ml", "trainer");
    owner.object().annotation("fallow.dev/undone", mark);
    built.pod(owner, "trainer-1").on("n1").idle();
    return refusal.isEmpty()
        ? built.expectPaused("StatefulSet/ml/trainer")
        : built.expectRefused("StatefulSet/ml/trainer", refusal);
  }
}
