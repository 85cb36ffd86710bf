package dev.fallow.app.cases;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.fallow.app.cases.CaseBuilder.Curve;
import dev.fallow.app.cases.CaseBuilder.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Wrong verdicts that other idle cullers are known to give, and tenants who mean harm. */
final class PeerBugCases {

  private static final String TRAINER = "Deployment/ml/trainer";
  private static final String UTIL = "DCGM_FI_DEV_GPU_UTIL";
  private static final String ENGINE = "DCGM_FI_PROF_GR_ENGINE_ACTIVE";

  private PeerBugCases() {}

  static List<CaseBuilder> all() {
    List<CaseBuilder> cases = new ArrayList<>();
    verdicts(cases);
    owners(cases);
    tenants(cases);
    return cases;
  }

  private static void verdicts(List<CaseBuilder> cases) {
    CaseBuilder p1 = new CaseBuilder("p01-one-idle-gpu-of-eight-culls-the-job");
    PodBuilder eight = p1.pod(p1.deployment("ml", "trainer"), "trainer-1").gpus(8).silent();
    for (int index = 0; index < 8; index++) {
      eight.engineAndUtil(index, Curve.of(index == 5 ? 0 : 0.9), Curve.of(index == 5 ? 0 : 90));
    }
    cases.add(p1.expect(TRAINER, "BUSY", "PARTLY_BUSY", "NONE"));

    CaseBuilder p2 = new CaseBuilder("p02-one-idle-replica-culls-all");
    Owner replicas = p2.deployment("ml", "trainer");
    p2.pod(replicas, "trainer-1").idle();
    p2.pod(replicas, "trainer-2").busy();
    cases.add(p2.expectBusy(TRAINER));

    CaseBuilder p3 = new CaseBuilder("p03-age-from-creation-not-from-running");
    p3.pod(p3.deployment("ml", "trainer"), "trainer-1")
        .createdAgo(ofHours(9))
        .startedAgo(ofMinutes(1))
        .silent()
        .signal(UTIL, 0, ofSeconds(30), ZERO, ofSeconds(30), Curve.STILL);
    cases.add(p3.expectUnknown(TRAINER, "RECENTLY_STARTED"));

    cases.add(
        VerdictCases.trainer(
                "p04-one-surviving-sample-is-no-window",
                p -> p.silent().signal(UTIL, 0, ofSeconds(30), ZERO, ofSeconds(30), Curve.STILL))
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));

    cases.add(
        VerdictCases.trainer(
                "p05-a-stale-engine-zero-hides-full-utilisation",
                p -> {
                  p.silent();
                  p.signal(ENGINE, 0, ofMinutes(28), ofMinutes(25), ofSeconds(30), Curve.STILL);
                  return p.signal(UTIL, 0, Curve.of(100));
                })
            .expectBusy(TRAINER));

    cases.add(
        VerdictCases.trainer(
                "p06-mig-reports-zero-utilisation",
                p -> {
                  p.resource("nvidia.com/mig-3g.40gb", 1)
                      .relabel(l ->
                          EvidenceCases.with(
                              EvidenceCases.with(l, "GPU_I_ID", "1"), "GPU_I_PROFILE", "3g.40gb"))
                      .silent();
                  p.signal(UTIL, 0, Curve.STILL);
                  return p.signal(ENGINE, 0, Curve.of(0.7));
                })
            .expectBusy(TRAINER));

    CaseBuilder p7 =
        new CaseBuilder("p07-a-time-sliced-neighbour-is-blamed")
            .node("shared", Map.of("nvidia.com/gpu.replicas", "2"));
    p7.pod(p7.deployment("ml", "trainer"), "trainer-1")
        .on("shared")
        .silent()
        .signal(ENGINE, 0, Curve.of(0.6));
    p7.pod(p7.deployment("ml", "quiet"), "quiet-1")
        .on("shared")
        .silent()
        .signal(ENGINE, 0, Curve.of(0.6));
    cases.add(
        p7.expectUnknown(TRAINER, "SHARED_GPU").expectUnknown("Deployment/ml/quiet", "SHARED_GPU"));

    cases.add(
        VerdictCases.trainer("p08-noise-is-not-activity", p -> p.each(Curve.of(0.4)))
            .expectPaused(TRAINER));
    cases.add(
        VerdictCases.trainer(
                "p08-an-encoder-is-activity",
                p -> {
                  CaseBuilder built = p.idle();
                  p.signal("DCGM_FI_DEV_ENC_UTIL", 0, Curve.of(35));
                  return built;
                })
            .expectBusy(TRAINER));

    cases.add(
        VerdictCases.trainer(
                "p09-two-exporters-double-the-sum",
                p -> {
                  p.silent();
                  p.signal(ENGINE, 0, Curve.of(0.007));
                  return p.relabel(l -> EvidenceCases.with(l, "instance", "10.8.8.8:9400"))
                      .signal(ENGINE, 0, Curve.of(0.007));
                })
            .expectPaused(TRAINER));

    CaseBuilder p10 = new CaseBuilder("p10-a-finished-pod-is-not-culled-for");
    p10.pod(p10.owner("apps/v1", "StatefulSet", "ml", "db", null), "db-0")
        .finishedAgo("Failed", ofDays(2))
        .silent()
        .signal(UTIL, 0, Curve.STILL);
    cases.add(p10.expect("StatefulSet/ml/db", "UNKNOWN", "NO_LIVE_POD", "NONE"));
  }

  private static void owners(List<CaseBuilder> cases) {
    CaseBuilder p11 = new CaseBuilder("p11-a-plain-statefulset-is-found");
    p11.pod(p11.statefulSet("ml", "db"), "db-0").idle();
    cases.add(p11.expectPaused("StatefulSet/ml/db"));

    CaseBuilder p12 = new CaseBuilder("p12-a-same-named-object-is-not-hit");
    p12.pod(p12.owner("apps.kruise.io/v1beta1", "StatefulSet", "ml", "db", null), "db-0").idle();
    p12.pod(p12.statefulSet("ml", "db"), "db-other-0").busy();
    cases.add(
        p12.expectRefused("StatefulSet.apps.kruise.io/ml/db", "NO_SCALABLE_OWNER")
            .expectBusy("StatefulSet/ml/db"));

    CaseBuilder p13 = new CaseBuilder("p13-a-rollouts-replicaset-is-not-scaled");
    Owner rollout = p13.owner("argoproj.io/v1alpha1", "Rollout", "ml", "web", null);
    p13.pod(p13.owner("apps/v1", "ReplicaSet", "ml", "web-1", rollout), "web-1-x").idle();
    cases.add(p13.expectRefused("Rollout.argoproj.io/ml/web", "KIND_DISABLED"));

    CaseBuilder p14 = new CaseBuilder("p14-a-worker-is-not-half-a-group");
    Owner gang = p14.owner("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "ml", "gang", null);
    PodBuilder leader =
        p14.pod(p14.owner("apps/v1", "StatefulSet", "ml", "gang", gang), "gang-0").silent();
    leader.engineAndUtil(0, Curve.of(0.5), Curve.of(50));
    p14.pod(p14.owner("apps/v1", "StatefulSet", "ml", "gang-0", leader.asOwner()), "gang-0-1")
        .idle();
    cases.add(p14.setting("enabled-resources", "drsinl").expectBusy("LeaderWorkerSet/ml/gang"));

    CaseBuilder p15 = new CaseBuilder("p15-training-waste-is-seen");
    p15.pod(p15.owner("batch/v1", "Job", "ml", "train", null), "train-x").gpus(8).idle();
    cases.add(p15.setting("enabled-resources", "j").expectPaused("Job/ml/train"));

    CaseBuilder p16 = new CaseBuilder("p16-a-pods-label-names-a-colleagues-service");
    p16.owner("serving.kserve.io/v1beta1", "InferenceService", "ml", "colleague", null);
    p16.pod(p16.statefulSet("ml", "db"), "db-0")
        .label("serving.kserve.io/inferenceservice", "colleague")
        .idle();
    cases.add(p16.expectPaused("StatefulSet/ml/db"));

    CaseBuilder p17 = new CaseBuilder("p17-a-transformers-gpu-counts");
    Owner service = p17.owner("serving.kserve.io/v1beta1", "InferenceService", "ml", "llm", null);
    p17.pod(p17.owner("apps/v1", "Deployment", "ml", "llm-predictor", service), "llm-predictor-1")
        .idle();
    p17.pod(
            p17.owner("apps/v1", "Deployment", "ml", "llm-transformer", service),
            "llm-transformer-1")
        .busy();
    cases.add(p17.expectBusy("InferenceService/ml/llm"));
  }

  private static void tenants(List<CaseBuilder> cases) {
    CaseBuilder twins = new CaseBuilder("same-names-in-two-namespaces");
    twins.pod(twins.deployment("team-a", "trainer"), "trainer-1").on("n1").idle();
    twins.pod(twins.deployment("team-b", "trainer"), "trainer-1").on("n2").busy();
    cases.add(
        twins.expectPaused("Deployment/team-a/trainer").expectBusy("Deployment/team-b/trainer"));

    cases.add(
        liar(
            "a-tenants-series-proves-nothing",
            Map.of("pod", "liar-1", "namespace", "team-b", "job", "team-b-app"),
            true));
    cases.add(
        liar(
            "a-liar-that-calls-itself-an-exporter",
            Map.of("pod", "dcgm-exporter-1", "namespace", "team-b", "job", "dcgm-exporter"),
            true));
    cases.add(
        liar(
            "a-liar-in-a-namespace-without-gpus",
            Map.of("pod", "metrics-1", "namespace", "web", "job", "web"),
            false));

    cases.add(
        liar(
            "an-exporters-name-in-a-namespace-without-gpus",
            Map.of("pod", "dcgm-exporter-1", "namespace", "team-c", "job", "dcgm-exporter"),
            false));

    CaseBuilder filler = new CaseBuilder("a-liar-fills-the-gaps-of-the-exporter");
    PodBuilder victim =
        filler
            .pod(filler.deployment("team-a", "trainer"), "trainer-1")
            .on("n1")
            .form(LabelForm.EXPORTED)
            .silent();
    victim.signal(UTIL, 0, ofMinutes(95), ofMinutes(15), ofSeconds(30), Curve.STILL);
    filler.pod(filler.deployment("team-b", "liar"), "liar-1").on("n1").silent();
    Map<String, String> lie = LabelForm.EXPORTED.labels("n1", 0, "team-a", "trainer-1", "");
    lie.putAll(Map.of("pod", "dcgm-exporter-x", "namespace", "team-b", "job", "dcgm-exporter"));
    filler.series(UTIL, lie, ofMinutes(95), ZERO, ofSeconds(30), Curve.STILL);
    cases.add(filler.expectUnknown("Deployment/team-a/trainer", "COVERAGE_TOO_LOW"));
  }

  /** A tenant's own target speaks of a colleague's card, whose exporter is silent. */
  private static CaseBuilder liar(String name, Map<String, String> target, boolean holdsGpus) {
    CaseBuilder built = new CaseBuilder(name);
    built.pod(built.deployment("team-a", "trainer"), "trainer-1").on("n1").silent();
    if (holdsGpus) {
      built.pod(built.deployment("team-b", "liar"), "liar-1").on("n2").silent();
    }
    Map<String, String> lie = LabelForm.EXPORTED.labels("n1", 0, "team-a", "trainer-1", "");
    lie.putAll(target);
    built.series(UTIL, lie, ofMinutes(95), ZERO, ofSeconds(30), Curve.STILL);
    return built.expect("Deployment/team-a/trainer", "UNKNOWN", "", "NONE");
  }
}
