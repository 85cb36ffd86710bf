package dev.fallow.app.cases;

import static java.time.Duration.ofMinutes;

import dev.fallow.app.cases.CaseBuilder.Owner;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Which object a workload is, and what may be done to it. */
final class OwnerCases {

  private static final String UNTIL = "2026-11-02T18:00:00Z";

  private OwnerCases() {}

  static List<CaseBuilder> all() {
    List<CaseBuilder> cases = new ArrayList<>();
    kinds(cases);
    broken(cases);
    policies(cases);
    rollOuts(cases);
    return cases;
  }

  /** Pods without GPUs are part of a workload as well. */
  private static void rollOuts(List<CaseBuilder> cases) {
    for (boolean young : List.of(true, false)) {
      CaseBuilder built =
          new CaseBuilder(
                  young ? "a-head-that-is-still-pending" : "a-head-that-has-been-pending-for-hours")
              .setting("enabled-resources", "y");
      Owner ray = built.owner("ray.io/v1", "RayCluster", "ml", "ray", null);
      built
          .pod(ray, "ray-head")
          .resource("cpu", 1)
          .phase("Pending")
          .createdAgo(ofMinutes(young ? 5 : 200))
          .silent();
      built.pod(ray, "ray-worker").idle();
      String workload = "RayCluster.ray.io/ml/ray";
      cases.add(
          young ? built.expectUnknown(workload, "ROLLING_OUT") : built.expectPaused(workload));
    }
    CaseBuilder without = new CaseBuilder("a-new-revision-without-gpus");
    Owner old = without.deployment("ml", "trainer");
    without.pod(old, "trainer-1").label("pod-template-hash", "5d4f").idle();
    Owner top = without.owner("apps/v1", "Deployment", "ml", "other", null);
    without.pod(without.replicaSet(top, "aaaa"), "other-1").idle();
    without
        .pod(without.replicaSet(top, "bbbb"), "other-2")
        .resource("cpu", 1)
        .label("pod-template-hash", "bbbb")
        .startedAgo(ofMinutes(10))
        .silent();
    cases.add(
        without
            .expectPaused("Deployment/ml/trainer")
            .expectUnknown("Deployment/ml/other", "ROLLING_OUT"));
  }

  private static void kinds(List<CaseBuilder> cases) {
    cases.add(
        idleUnder("a-statefulset", b -> b.statefulSet("ml", "db"))
            .expectPaused("StatefulSet/ml/db"));
    cases.add(
        idleUnder("a-bare-replicaset", b -> b.owner("apps/v1", "ReplicaSet", "ml", "rs", null))
            .expectPaused("ReplicaSet/ml/rs"));
    cases.add(
        idleUnder(
                "a-notebook",
                b ->
                    b.owner(
                        "apps/v1",
                        "StatefulSet",
                        "ml",
                        "nb",
                        b.owner("kubeflow.org/v1", "Notebook", "ml", "nb", null)))
            .expectPaused("Notebook/ml/nb"));
    cases.add(
        idleUnder(
                "an-inference-service",
                b ->
                    b.owner(
                        "apps/v1",
                        "ReplicaSet",
                        "ml",
                        "llm-predictor-1",
                        b.owner(
                            "apps/v1",
                            "Deployment",
                            "ml",
                            "llm-predictor",
                            b.owner(
                                "serving.kserve.io/v1beta1",
                                "InferenceService",
                                "ml",
                                "llm",
                                null))))
            .expectPaused("InferenceService/ml/llm"));
    cases.add(
        idleUnder("a-serverless-inference-service", OwnerCases::serverless)
            .expectPaused("InferenceService/ml/llm"));
    cases.add(newRevision());
    CaseBuilder lws = new CaseBuilder("a-leaderworkerset");
    Owner top = lws.owner("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "ml", "gang", null);
    PodBuilder leader =
        lws.pod(lws.owner("apps/v1", "StatefulSet", "ml", "gang", top), "gang-0").silent();
    leader.engineAndUtil(0, CaseBuilder.Curve.STILL, CaseBuilder.Curve.STILL);
    Owner workers = lws.owner("apps/v1", "StatefulSet", "ml", "gang-0", leader.asOwner());
    lws.pod(workers, "gang-0-1").idle();
    lws.pod(workers, "gang-0-2").idle();
    cases.add(lws.expectRefused("LeaderWorkerSet/ml/gang", "KIND_DISABLED"));
    cases.add(
        idleUnder(
                "a-leaderworkerset-switched-on",
                b -> b.owner("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "ml", "gang", null))
            .setting("enabled-resources", "drsinl")
            .expectPaused("LeaderWorkerSet/ml/gang"));
    cases.add(
        idleUnder("a-job", b -> b.owner("batch/v1", "Job", "ml", "train", null))
            .expectRefused("Job/ml/train", "KIND_DISABLED"));
    cases.add(
        idleUnder(
                "a-cronjobs-job",
                b ->
                    b.owner(
                        "batch/v1",
                        "Job",
                        "ml",
                        "train-1",
                        b.owner("batch/v1", "CronJob", "ml", "train", null)))
            .expectRefused("CronJob/ml/train", "NO_SCALABLE_OWNER"));
    cases.add(
        idleUnder(
                "a-jobset",
                b ->
                    b.owner(
                        "batch/v1",
                        "Job",
                        "ml",
                        "set-workers-0",
                        b.owner("jobset.x-k8s.io/v1alpha2", "JobSet", "ml", "set", null)))
            .expectRefused("JobSet.jobset.x-k8s.io/ml/set", "KIND_DISABLED"));
    cases.add(
        idleUnder(
                "a-pytorchjob", b -> b.owner("kubeflow.org/v1", "PyTorchJob", "ml", "train", null))
            .expectRefused("PyTorchJob.kubeflow.org/ml/train", "KIND_DISABLED"));
    cases.add(
        idleUnder("a-raycluster", b -> b.owner("ray.io/v1", "RayCluster", "ml", "ray", null))
            .expectRefused("RayCluster.ray.io/ml/ray", "KIND_DISABLED"));
    cases.add(
        idleUnder("a-daemonset", b -> b.owner("apps/v1", "DaemonSet", "ml", "agent", null))
            .expectRefused("DaemonSet/ml/agent", "NO_SCALABLE_OWNER"));
    CaseBuilder bare = new CaseBuilder("a-bare-pod");
    bare.pod(null, "ml", "shell").idle();
    cases.add(bare.expectRefused("Pod/ml/shell", "NO_SCALABLE_OWNER"));
  }

  /** Knative stands between the InferenceService and what Kubernetes itself runs. */
  private static Owner serverless(CaseBuilder b) {
    return revision(b, configuration(b), "llm-predictor-00001");
  }

  private static Owner configuration(CaseBuilder b) {
    Owner owner = b.owner("serving.kserve.io/v1beta1", "InferenceService", "ml", "llm", null);
    for (String kind : List.of("Service", "Configuration")) {
      owner = b.owner("serving.knative.dev/v1", kind, "ml", "llm-predictor", owner);
    }
    return owner;
  }

  private static Owner revision(CaseBuilder b, Owner configuration, String name) {
    Owner owner = b.owner("serving.knative.dev/v1", "Revision", "ml", name, configuration);
    owner = b.owner("apps/v1", "Deployment", "ml", name + "-deployment", owner);
    return b.owner("apps/v1", "ReplicaSet", "ml", name + "-deployment-1", owner);
  }

  /** Its newest revision asks for no GPU, so that no young pod tells of it. */
  private static CaseBuilder newRevision() {
    CaseBuilder built = new CaseBuilder("a-second-revision-under-knative");
    Owner configuration = configuration(built);
    built.pod(revision(built, configuration, "llm-predictor-00001"), "llm-1").idle();
    return built
        .pod(revision(built, configuration, "llm-predictor-00002"), "llm-2")
        .gpus(0)
        .startedAgo(ofMinutes(20))
        .unseen()
        .expectUnknown("InferenceService/ml/llm", "ROLLING_OUT");
  }

  private static void broken(List<CaseBuilder> cases) {
    CaseBuilder missing = new CaseBuilder("a-missing-owner");
    missing.pod(new Owner("apps/v1", "ReplicaSet", "ml", "gone", "gone-uid"), "gone-1").idle();
    cases.add(missing.expectRefused("Pod/ml/gone-1", "NO_SCALABLE_OWNER"));

    CaseBuilder recreated = new CaseBuilder("an-owner-created-anew-under-its-name");
    Owner deployment = recreated.owner("apps/v1", "Deployment", "ml", "trainer", null);
    Owner stale =
        recreated.owner(
            "apps/v1", "ReplicaSet", "ml", "trainer-1", deployment.withUid("former-uid"));
    recreated.pod(stale, "trainer-1-x").idle();
    cases.add(recreated.expectRefused("ReplicaSet/ml/trainer-1", "NO_SCALABLE_OWNER"));

    CaseBuilder cycle = new CaseBuilder("owners-in-a-cycle");
    Owner one = cycle.owner("apps/v1", "ReplicaSet", "ml", "one", null);
    Owner two = cycle.owner("apps/v1", "Deployment", "ml", "two", one);
    one.object().controlledBy(two);
    cycle.pod(one, "one-1").idle();
    cases.add(cycle.expectRefused("Deployment/ml/two", "NO_SCALABLE_OWNER"));

    CaseBuilder self = new CaseBuilder("an-owner-of-itself");
    Owner alone = self.owner("apps/v1", "ReplicaSet", "ml", "alone", null);
    alone.object().controlledBy(alone);
    self.pod(alone, "alone-1").idle();
    cases.add(self.expectRefused("ReplicaSet/ml/alone", "NO_SCALABLE_OWNER"));

    CaseBuilder foreign = new CaseBuilder("an-owner-in-another-namespace");
    Owner elsewhere = foreign.owner("apps/v1", "ReplicaSet", "other", "rs", null);
    foreign.pod(elsewhere, "ml", "rs-1").idle();
    cases.add(foreign.expectRefused("Pod/ml/rs-1", "NO_SCALABLE_OWNER"));

    CaseBuilder group = new CaseBuilder("a-statefulset-of-another-group");
    group
        .pod(group.owner("apps.kruise.io/v1beta1", "StatefulSet", "ml", "db", null), "db-0")
        .idle();
    cases.add(group.expectRefused("StatefulSet.apps.kruise.io/ml/db", "NO_SCALABLE_OWNER"));

    CaseBuilder wrongKind = new CaseBuilder("an-owner-of-another-kind-with-the-same-uid");
    Owner real = wrongKind.owner("apps/v1", "StatefulSet", "ml", "db", null);
    wrongKind.pod(new Owner("apps/v1", "Deployment", "ml", "db", real.uid), "db-0").idle();
    cases.add(wrongKind.expectRefused("Pod/ml/db-0", "NO_SCALABLE_OWNER"));

    CaseBuilder operator = new CaseBuilder("an-operators-own-kind");
    Owner nim = operator.owner("apps.nvidia.com/v1alpha1", "NIMService", "ml", "llm", null);
    operator
        .pod(
            operator.owner(
                "apps/v1",
                "ReplicaSet",
                "ml",
                "llm-1",
                operator.owner("apps/v1", "Deployment", "ml", "llm", nim)),
            "llm-1-x")
        .idle();
    cases.add(operator.expectRefused("NIMService.apps.nvidia.com/ml/llm", "NO_SCALABLE_OWNER"));

    CaseBuilder friend = new CaseBuilder("an-owner-that-is-no-controller");
    Owner other = friend.statefulSet("ml", "db");
    PodBuilder pod = friend.pod(null, "ml", "db-0");
    pod.object().meta("ownerReferences", List.of(Objects.reference(other, false)));
    pod.idle();
    cases.add(friend.expectRefused("Pod/ml/db-0", "NO_SCALABLE_OWNER"));

    CaseBuilder deep = new CaseBuilder("a-chain-twenty-deep");
    Owner above = deep.owner("apps/v1", "Deployment", "ml", "top", null);
    for (int level = 0; level < 20; level++) {
      above = deep.owner("example.com/v1", "Layer", "ml", "layer-" + level, above);
    }
    deep.pod(above, "deep-1").idle();
    cases.add(deep.expectPaused("Deployment/ml/top"));
  }

  private static void policies(List<CaseBuilder> cases) {
    cases.add(
        idleUnder(
                "already-at-zero",
                b -> {
                  Owner set = b.statefulSet("ml", "db");
                  set.object().spec("replicas", 0);
                  return set;
                })
            .expectRefused("StatefulSet/ml/db", "PAUSED_ALREADY"));
    cases.add(
        idleUnder(
                "a-stopped-notebook",
                b -> {
                  Owner notebook = b.owner("kubeflow.org/v1", "Notebook", "ml", "nb", null);
                  notebook.object().annotation("kubeflow-resource-stopped", "2026-11-02T11:59:00Z");
                  return b.owner("apps/v1", "StatefulSet", "ml", "nb", notebook);
                })
            .expectRefused("Notebook/ml/nb", "PAUSED_ALREADY"));
    cases.add(
        idleUnder(
                "an-inference-service-stopped-in-other-letters",
                b -> {
                  Owner service =
                      b.owner("serving.kserve.io/v1beta1", "InferenceService", "ml", "llm", null);
                  service.object().annotation("serving.kserve.io/stop", "True");
                  return service;
                })
            .expectRefused("InferenceService/ml/llm", "PAUSED_ALREADY"));
    CaseBuilder patient = new CaseBuilder("somebody-elses-window-of-a-month");
    Owner slow = patient.statefulSet("ml", "slow");
    slow.object().annotation("fallow.dev/idle-window", "30d");
    patient.pod(slow, "slow-0").idle();
    patient.pod(patient.statefulSet("ml", "db"), "db-0").idle();
    patient.pod(patient.statefulSet("ml", "web"), "web-0").busy();
    cases.add(
        patient
            .expectPaused("StatefulSet/ml/db")
            .expectBusy("StatefulSet/ml/web")
            .expect("StatefulSet/ml/slow", "UNKNOWN", "", "NONE"));
    cases.add(
        annotated("an-exempt-workload", "fallow.dev/exempt", "nightly evaluation")
            .expectRefused("StatefulSet/ml/db", "EXEMPT"));
    cases.add(
        idleUnder("an-exempt-namespace", b -> b.statefulSet("ml", "db"))
            .namespace("ml", Map.of("fallow.dev/exempt", "production"))
            .expectRefused("StatefulSet/ml/db", "EXEMPT"));
    cases.add(
        idleUnder("another-namespaces-exemption", b -> b.statefulSet("ml", "db"))
            .namespace("other", Map.of("fallow.dev/exempt", "production"))
            .expectPaused("StatefulSet/ml/db"));
    CaseBuilder system = new CaseBuilder("a-protected-namespace");
    system.pod(system.statefulSet("kube-system", "db"), "db-0").idle();
    cases.add(system.expectRefused("StatefulSet/kube-system/db", "PROTECTED_NAMESPACE"));
    CaseBuilder replaced = new CaseBuilder("replaced-protected-namespaces");
    replaced.pod(replaced.statefulSet("kube-system", "db"), "db-0").idle();
    cases.add(
        replaced
            .setting("excluded-namespaces", "prod-*")
            .expectPaused("StatefulSet/kube-system/db"));
    cases.add(
        idleUnder("outside-the-namespace-pattern", b -> b.statefulSet("ml", "db"))
            .setting("namespace", "m")
            .expectRefused("StatefulSet/ml/db", "FILTERED_OUT"));
    cases.add(
        idleUnder("inside-the-namespace-pattern", b -> b.statefulSet("ml", "db"))
            .setting("namespace", "ml|nlp")
            .expectPaused("StatefulSet/ml/db"));
    cases.add(
        idleUnder("outside-the-model-pattern", b -> b.statefulSet("ml", "db"))
            .setting("model-name", ".*H100.*")
            .expectRefused("StatefulSet/ml/db", "FILTERED_OUT"));
    CaseBuilder mixed = new CaseBuilder("one-gpu-outside-the-model-pattern");
    PodBuilder both = mixed.pod(mixed.statefulSet("ml", "db"), "db-0").gpus(2).silent();
    both.engineAndUtil(0, CaseBuilder.Curve.STILL, CaseBuilder.Curve.STILL);
    both.relabel(l -> EvidenceCases.with(l, "modelName", "NVIDIA H100"))
        .engineAndUtil(1, CaseBuilder.Curve.STILL, CaseBuilder.Curve.STILL);
    cases.add(
        mixed.setting("model-name", ".*A100.*").expectRefused("StatefulSet/ml/db", "FILTERED_OUT"));
    cases.add(
        idleUnder("a-kind-switched-off", b -> b.statefulSet("ml", "db"))
            .setting("enabled-resources", "d")
            .expectRefused("StatefulSet/ml/db", "KIND_DISABLED"));
    cases.add(
        idleUnder("any-kind-that-scales", b -> b.statefulSet("ml", "db"))
            .setting("enabled-resources", "*")
            .expectPaused("StatefulSet/ml/db"));
    keeps(cases);
    windows(cases);
  }

  private static void keeps(List<CaseBuilder> cases) {
    String db = "StatefulSet/ml/db";
    cases.add(
        annotated("a-keep", "fallow.dev/keep-until", UNTIL)
            .expect(db, "IDLE", "ACKNOWLEDGED", "KEEP"));
    cases.add(
        annotated("a-keep-of-gpu-pruner", "gpu-pruner.io/ack-until", UNTIL)
            .expect(db, "IDLE", "ACKNOWLEDGED", "KEEP"));
    cases.add(
        annotated("a-keep-with-an-offset", "fallow.dev/keep-until", "2026-11-02T13:30:00+01:00")
            .expect(db, "IDLE", "ACKNOWLEDGED", "KEEP"));
    cases.add(
        annotated("a-keep-that-has-ended", "fallow.dev/keep-until", "2026-11-02T11:59:59Z")
            .expectPaused(db));
    cases.add(
        annotated(
                "a-keep-that-ends-at-this-instant", "fallow.dev/keep-until", "2026-11-02T12:00:00Z")
            .expectPaused(db));
    cases.add(
        annotated("a-keep-nobody-can-read", "fallow.dev/keep-until", "next tuesday")
            .expect(db, "IDLE", "ACKNOWLEDGED", "KEEP"));
    cases.add(
        idleUnder(
                "a-keep-beside-an-unreadable-window",
                b -> {
                  Owner set = b.statefulSet("ml", "db");
                  set.object()
                      .annotation("fallow.dev/keep-until", UNTIL)
                      .annotation("fallow.dev/idle-window", "long");
                  return set;
                })
            .expect(db, "IDLE", "ACKNOWLEDGED", "KEEP"));
    cases.add(
        annotated("a-keep-that-ended-without-seconds", "fallow.dev/keep-until", "2026-11-01T12:00Z")
            .expect(db, "IDLE", "ACKNOWLEDGED", "KEEP"));
    cases.add(
        besideAnEnded("fallow.dev/keep-until", UNTIL, "2026-11-01T12:00:00Z")
            .expect("InferenceService/ml/llm", "IDLE", "ACKNOWLEDGED", "KEEP"));
    CaseBuilder twoStates = new CaseBuilder("a-keep-beside-an-ended-one");
    Owner served =
        twoStates.owner("serving.kserve.io/v1beta1", "InferenceService", "ml", "llm", null);
    twoStates.pod(served, "llm-1").idle();
    state(twoStates, served, "a-keep", "fallow.dev/keep-until", UNTIL);
    state(
        twoStates, served, "inferenceservice-llm", "fallow.dev/keep-until", "2026-11-01T12:00:00Z");
    cases.add(twoStates.expect("InferenceService/ml/llm", "IDLE", "ACKNOWLEDGED", "KEEP"));
    cases.add(
        besideAnEnded("fallow.dev/exempt", "by contract", "")
            .expectRefused("InferenceService/ml/llm", "EXEMPT"));
    cases.add(
        besideAnEnded("fallow.dev/idle-window", "3h", "31m")
            .expect("InferenceService/ml/llm", "UNKNOWN", "", "NONE"));
    CaseBuilder queued = new CaseBuilder("a-job-that-a-queue-starts");
    Owner job = queued.owner("batch/v1", "Job", "ml", "train", null);
    job.object().labels(Map.of("kueue.x-k8s.io/queue-name", "gpu-team"));
    queued.pod(job, "train-1").idle();
    cases.add(
        queued
            .setting("enabled-resources", "j")
            .expectRefused("Job/ml/train", "NO_SCALABLE_OWNER"));
    CaseBuilder itself = new CaseBuilder("a-job-that-names-its-own-controller");
    Owner named = itself.owner("trainer.kubeflow.org/v1alpha1", "TrainJob", "ml", "train", null);
    named.object().spec("managedBy", "trainer.kubeflow.org/trainjob-controller");
    itself.pod(named, "train-1").idle();
    cases.add(
        itself
            .setting("enabled-resources", "p")
            .expectPaused("TrainJob.trainer.kubeflow.org/ml/train"));
    CaseBuilder elsewhere = new CaseBuilder("a-job-that-runs-in-another-cluster");
    Owner away = elsewhere.owner("kubeflow.org/v1", "PyTorchJob", "ml", "train", null);
    away.object().spec("runPolicy", Map.of("managedBy", "kueue.x-k8s.io/multikueue"));
    elsewhere.pod(away, "train-1").idle();
    cases.add(
        elsewhere
            .setting("enabled-resources", "p")
            .expectRefused("PyTorchJob.kubeflow.org/ml/train", "NO_SCALABLE_OWNER"));
    for (String policy : List.of("Delete", "Retain")) {
      CaseBuilder volumes = new CaseBuilder("volumes-to-" + policy.toLowerCase(Locale.ROOT));
      Owner stateful = volumes.statefulSet("ml", "db");
      stateful.object().spec("persistentVolumeClaimRetentionPolicy", Map.of("whenScaled", policy));
      volumes.pod(stateful, "db-0").idle();
      cases.add(
          policy.equals("Retain")
              ? volumes.expectPaused(db)
              : volumes.expectRefused(db, "NO_SCALABLE_OWNER"));
    }
    CaseBuilder groups = new CaseBuilder("volumes-of-groups-to-delete");
    Owner group = groups.owner("leaderworkerset.x-k8s.io/v1", "LeaderWorkerSet", "ml", "llm", null);
    group
        .object()
        .spec(
            "leaderWorkerTemplate",
            Map.of("persistentVolumeClaimRetentionPolicy", Map.of("whenDeleted", "Delete")));
    groups.pod(group, "llm-0").idle();
    cases.add(
        groups
            .setting("enabled-resources", "l")
            .expectRefused("LeaderWorkerSet/ml/llm", "NO_SCALABLE_OWNER"));
    CaseBuilder onPod = new CaseBuilder("a-keep-on-a-pod");
    onPod
        .pod(onPod.statefulSet("ml", "db"), "db-0")
        .annotation("fallow.dev/keep-until", UNTIL)
        .idle();
    cases.add(onPod.expect(db, "IDLE", "ACKNOWLEDGED", "KEEP"));
    for (Map.Entry<String, String> wish :
        Map.of("keep-until", "ACKNOWLEDGED", "exempt", "EXEMPT", "idle-window", "").entrySet()) {
      CaseBuilder head = new CaseBuilder("on-a-head-without-a-gpu-" + wish.getKey());
      Owner ray = head.owner("ray.io/v1", "RayCluster", "ml", "ray", null);
      head.pod(ray, "ray-head")
          .resource("cpu", 1)
          .annotation(
              "fallow.dev/" + wish.getKey(), wish.getKey().equals("idle-window") ? "3h" : UNTIL)
          .silent();
      head.pod(ray, "ray-worker").idle();
      head.setting("enabled-resources", "y");
      String workload = "RayCluster.ray.io/ml/ray";
      cases.add(
          switch (wish.getValue()) {
            case "ACKNOWLEDGED" -> head.expect(workload, "IDLE", "ACKNOWLEDGED", "KEEP");
            case "EXEMPT" -> head.expectRefused(workload, "EXEMPT");
            default -> head.expect(workload, "UNKNOWN", "", "NONE");
          });
    }
    CaseBuilder middle = new CaseBuilder("a-keep-in-the-middle-of-the-chain");
    Owner replicaSet = middle.deployment("ml", "trainer");
    replicaSet.object().annotation("fallow.dev/keep-until", UNTIL);
    middle.pod(replicaSet, "trainer-1").idle();
    cases.add(middle.expect("Deployment/ml/trainer", "IDLE", "ACKNOWLEDGED", "KEEP"));
    CaseBuilder busy = new CaseBuilder("a-keep-does-not-hide-activity");
    Owner set = busy.statefulSet("ml", "db");
    set.object().annotation("fallow.dev/keep-until", UNTIL);
    busy.pod(set, "db-0").busy();
    cases.add(busy.expectBusy(db));
  }

  /** A wish on an InferenceService, and a weaker one that Fallow keeps beside it. */
  private static CaseBuilder besideAnEnded(String key, String onIt, String beside) {
    CaseBuilder built = new CaseBuilder("beside-" + key.substring(key.indexOf('/') + 1));
    Owner service = built.owner("serving.kserve.io/v1beta1", "InferenceService", "ml", "llm", null);
    service.object().annotation(key, onIt);
    built.pod(service, "llm-1").idle();
    return state(built, service, "inferenceservice-llm", key, beside);
  }

  private static CaseBuilder state(
      CaseBuilder built, Owner of, String name, String key, String value) {
    return built.object(
        Objects.of("fallow.dev/v1", "WorkloadState", "ml", name, built.uid())
            .annotation(key, value)
            .spec("workload", Map.of("uid", of.uid))
            .map());
  }

  private static void windows(List<CaseBuilder> cases) {
    String db = "StatefulSet/ml/db";
    cases.add(
        annotated("a-longer-window-on-a-workload", "fallow.dev/idle-window", "3h")
            .expect(db, "UNKNOWN", "", "NONE"));
    cases.add(
        annotated("a-shorter-window-on-a-workload-is-ignored", "fallow.dev/idle-window", "5m")
            .expectPaused(db));
    cases.add(
        annotated("a-window-nobody-can-read", "fallow.dev/idle-window", "soon")
            .expect(db, "IDLE", "", "NONE"));
    CaseBuilder shorter = new CaseBuilder("a-shorter-window-on-a-namespace");
    shorter
        .namespace("ml", Map.of("fallow.dev/idle-window", "PT10M"))
        .pod(shorter.statefulSet("ml", "db"), "db-0")
        .startedAgo(ofMinutes(20))
        .each(ago -> ago.compareTo(ofMinutes(12)) > 0 ? 80 : 0);
    cases.add(shorter.expectPaused(db));
    CaseBuilder longer = new CaseBuilder("a-longer-window-on-a-namespace");
    longer
        .namespace("ml", Map.of("fallow.dev/idle-window", "1h"))
        .pod(longer.statefulSet("ml", "db"), "db-0")
        .each(ago -> ago.compareTo(ofMinutes(50)) > 0 ? 80 : 0);
    cases.add(longer.expectBusy(db));
  }

  private interface Top {
    Owner make(CaseBuilder builder);
  }

  private static CaseBuilder idleUnder(String name, Top top) {
    CaseBuilder built = new CaseBuilder(name);
    return built.pod(top.make(built), "ml", "pod-0").idle();
  }

  private static CaseBuilder annotated(String name, String key, String value) {
    return idleUnder(
        name,
        b -> {
          Owner set = b.statefulSet("ml", "db");
          set.object().annotation(key, value);
          return set;
        });
  }
}
