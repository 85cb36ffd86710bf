package dev.fallow.app.cases;

import static dev.fallow.app.cases.VerdictCases.trainer;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.fallow.app.cases.CaseBuilder.Curve;
import dev.fallow.app.cases.CaseBuilder.Owner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Coverage, values that cannot be, label forms, MIG, sharing. */
final class EvidenceCases {

  private static final String TRAINER = "Deployment/ml/trainer";
  private static final String UTIL = "DCGM_FI_DEV_GPU_UTIL";
  private static final String ENGINE = "DCGM_FI_PROF_GR_ENGINE_ACTIVE";

  private EvidenceCases() {}

  static List<CaseBuilder> all() {
    List<CaseBuilder> cases = new ArrayList<>();
    coverage(cases);
    values(cases);
    forms(cases);
    mig(cases);
    sharing(cases);
    sharedInstances(cases);
    duplicates(cases);
    spellings(cases);
    return cases;
  }

  private static void coverage(List<CaseBuilder> cases) {
    cases.add(
        trainer("no-series-at-all", PodBuilder::unseen).expectUnknown(TRAINER, "SERIES_MISSING"));
    cases.add(
        trainer(
                "seven-of-eight-gpus-shown",
                p -> {
                  p.gpus(8).silent();
                  CaseBuilder built = null;
                  for (int index = 0; index < 7; index++) {
                    built = p.engineAndUtil(index, Curve.STILL, Curve.STILL);
                  }
                  return built;
                })
            .expectUnknown(TRAINER, "SERIES_MISSING"));
    cases.add(
        trainer(
                "seven-of-eight-shown-and-one-busy",
                p -> {
                  p.gpus(8).silent();
                  CaseBuilder built = null;
                  for (int index = 0; index < 7; index++) {
                    built = p.engineAndUtil(index, Curve.STILL, Curve.of(index == 3 ? 50 : 0));
                  }
                  return built;
                })
            .expectBusy(TRAINER));
    cases.add(utilOnly("only-the-last-two-minutes", ofMinutes(2), ZERO, ofSeconds(30), false));
    cases.add(
        utilOnly(
            "the-last-two-minutes-missing", ofMinutes(95), ofMinutes(2), ofSeconds(30), false));
    cases.add(
        utilOnly("the-last-minute-missing", ofMinutes(95), ofSeconds(60), ofSeconds(30), true));
    cases.add(utilOnly("a-sample-a-minute", ofMinutes(95), ZERO, ofSeconds(60), true));
    cases.add(utilOnly("a-sample-every-three-minutes", ofMinutes(95), ZERO, ofSeconds(180), true));
    cases.add(utilOnly("a-sample-every-four-minutes", ofMinutes(96), ZERO, ofSeconds(240), false));
    cases.add(
        trainer("three-samples-lost-in-a-row", p -> p.each(gap(ofMinutes(10), ofSeconds(90))))
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    cases.add(
        trainer("two-samples-lost-in-a-row", p -> p.each(gap(ofMinutes(10), ofSeconds(60))))
            .expectPaused(TRAINER));
    cases.add(
        trainer(
                "a-tenth-of-the-samples-lost",
                p -> p.each(ago -> ago.toSeconds() / 30 % 10 == 3 ? null : (Object) 0))
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    cases.add(
        trainer(
                "sampled-half-as-often-as-the-hour-before",
                p ->
                    p.each(ago ->
                        ago.compareTo(ofMinutes(30)) < 0 && ago.toSeconds() / 30 % 2 == 1
                            ? null
                            : (Object) 0))
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    cases.add(
        trainer(
                "the-engine-covered-for-a-part-only",
                p -> {
                  p.silent();
                  p.signal(ENGINE, 0, ofMinutes(95), ofMinutes(20), ofSeconds(30), Curve.STILL);
                  return p.signal(UTIL, 0, Curve.STILL);
                })
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    cases.add(
        trainer(
                "the-engine-only-before-the-window",
                p -> {
                  p.silent();
                  p.signal(ENGINE, 0, ofMinutes(95), ofMinutes(31), ofSeconds(30), Curve.STILL);
                  return p.signal(UTIL, 0, Curve.STILL);
                })
            .expectPaused(TRAINER));
  }

  private static void values(List<CaseBuilder> cases) {
    Map<String, Object> impossible = new LinkedHashMap<>();
    impossible.put("nan", "NaN");
    impossible.put("infinity", "+Inf");
    impossible.put("negative", -1);
    impossible.put("over-100", 101);
    impossible.put("a-32-bit-blank", 4294967295L);
    impossible.put("a-64-bit-blank", 9223372036854775794L);
    impossible.forEach((name, value) -> {
      cases.add(
          trainer(
                  "one-" + name + "-proves-nothing",
                  p -> p.silent().signal(UTIL, 0, Curve.once(ofMinutes(5), value)))
              .expectPaused(TRAINER));
      cases.add(
          trainer("nothing-but-" + name, p -> p.silent().signal(UTIL, 0, Curve.of(value)))
              .expect(TRAINER, "UNKNOWN", "", "NONE"));
    });
    cases.add(
        trainer(
                "a-little-over-100-is-rounding",
                p -> p.silent().signal(UTIL, 0, Curve.once(ofMinutes(5), 100.4)))
            .expectBusy(TRAINER));
    cases.add(
        trainer("minus-zero-is-zero", p -> p.silent().signal(UTIL, 0, Curve.of("-0.0")))
            .expectPaused(TRAINER));
    cases.add(
        trainer(
                "a-blank-engine-leaves-the-utilisation",
                p -> {
                  p.silent();
                  p.signal(ENGINE, 0, Curve.of("NaN"));
                  return p.signal(UTIL, 0, Curve.STILL);
                })
            .expectPaused(TRAINER));
  }

  private static void forms(List<CaseBuilder> cases) {
    for (LabelForm form : LabelForm.values()) {
      String name = form.name().toLowerCase(Locale.ROOT).replace('_', '-');
      boolean amd = form == LabelForm.AMD;
      String resource = amd ? "amd.com/gpu" : "nvidia.com/gpu";
      String metric = amd ? "gpu_gfx_activity" : UTIL;
      cases.add(
          trainer(
                  "labels-" + name + "-idle",
                  p ->
                      p.form(form)
                          .resource(resource, 2)
                          .silent()
                          .then(List.of(metric), Curve.STILL)
                          .done())
              .expectPaused(TRAINER));
      cases.add(
          trainer(
                  "labels-" + name + "-busy",
                  p ->
                      p.form(form)
                          .resource(resource, 2)
                          .silent()
                          .then(List.of(metric), Curve.of(40))
                          .done())
              .expectBusy(TRAINER));
    }
    cases.add(
        trainer(
                "amd-memory-activity",
                p -> {
                  p.form(LabelForm.AMD).resource("amd.com/gpu", 1).silent();
                  p.signal("gpu_gfx_activity", 0, Curve.STILL);
                  return p.signal("gpu_umc_activity", 0, Curve.once(ofMinutes(9), 12));
                })
            .expectBusy(TRAINER));
    for (boolean active : List.of(false, true)) {
      CaseBuilder later =
          trainer(
              "amd-a-later-part-of-a-card-" + (active ? "busy" : "still"),
              p ->
                  p.form(LabelForm.AMD)
                      .relabel(l -> with(l, "gpu_partition_id", "3"))
                      .resource("amd.com/gpu", 1)
                      .silent()
                      .then(List.of("gpu_gfx_activity"), active ? Curve.of(40) : Curve.STILL)
                      .done());
      cases.add(
          active ? later.expectBusy(TRAINER) : later.expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    }
    cases.add(
        trainer(
                "amd-a-card-that-cannot-be-cut",
                p ->
                    p.form(LabelForm.AMD)
                        .relabel(l -> with(l, "gpu_compute_partition_type", "none"))
                        .resource("amd.com/gpu", 1)
                        .silent()
                        .then(List.of("gpu_gfx_activity"), Curve.STILL)
                        .done())
            .expectPaused(TRAINER));
    cases.add(
        trainer("intel-names-no-pod", p -> p.resource("gpu.intel.com/i915", 1).unseen())
            .expectUnknown(TRAINER, "SERIES_MISSING"));
    cases.add(
        trainer(
                "another-pods-uid",
                p ->
                    p.form(LabelForm.WITH_UID)
                        .relabel(l -> with(l, "pod_uid", "somebody-else"))
                        .idle())
            .expectUnknown(TRAINER, "SERIES_MISSING"));
    cases.add(
        trainer("another-nodes-card", p -> p.relabel(l -> with(l, "Hostname", "elsewhere")).idle())
            .expectUnknown(TRAINER, "SERIES_MISSING"));

    CaseBuilder exporterNode = new CaseBuilder("the-exporters-own-node-tells");
    exporterNode.object(
        Objects.of("v1", "Pod", "gpu-operator", "nvidia-dcgm-exporter-abcde", exporterNode.uid())
            .spec("nodeName", "n1")
            .spec("containers", List.of())
            .map());
    exporterNode
        .pod(exporterNode.deployment("ml", "trainer"), "trainer-1")
        .on("n1")
        .form(LabelForm.EXPORTED)
        .relabel(l -> without(l, "Hostname"))
        .idle();
    cases.add(exporterNode.expectPaused(TRAINER));

    for (String home : List.of("gpu-telemetry", "default", "ml")) {
      cases.add(
          trainer(
                  "an-exporter-in-" + home,
                  p ->
                      p.form(LabelForm.EXPORTED)
                          .relabel(
                              l -> with(with(l, "pod", "dcgm-exporter-abcde"), "namespace", home))
                          .idle())
              .expectPaused(TRAINER));
    }

    CaseBuilder unallocated = new CaseBuilder("an-exporter-names-itself-on-a-free-card");
    unallocated.object(
        Objects.of("v1", "Pod", "gpu-operator", "nvidia-dcgm-exporter-abcde", unallocated.uid())
            .spec("nodeName", "n1")
            .spec("containers", List.of())
            .map());
    unallocated.pod(unallocated.deployment("ml", "trainer"), "trainer-1").on("n1").idle();
    Map<String, String> free =
        LabelForm.HONOURED.labels("n1", 5, "gpu-operator", "nvidia-dcgm-exporter-abcde", "");
    unallocated.series(UTIL, free, ofMinutes(95), ZERO, ofSeconds(30), Curve.of(99));
    cases.add(unallocated.expectPaused(TRAINER));

    cases.add(
        trainer(
                "old-names-beside-a-targets-own",
                p ->
                    p.form(LabelForm.OLD_NAMES)
                        .relabel(l ->
                            with(
                                with(l, "pod", "dcgm-exporter-abcde"), "namespace", "gpu-operator"))
                        .idle())
            .expectPaused(TRAINER));
  }

  private static void mig(List<CaseBuilder> cases) {
    cases.add(migSlice("an-idle-mig-slice", Curve.STILL).expectPaused(TRAINER));
    cases.add(migSlice("a-busy-mig-slice", Curve.of(0.2)).expectBusy(TRAINER));
    cases.add(
        trainer(
                "a-mig-slice-by-utilisation-alone",
                p ->
                    p.resource("nvidia.com/mig-1g.10gb", 1)
                        .relabel(l -> mig(l, "7"))
                        .silent()
                        .signal(UTIL, 0, Curve.STILL))
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    CaseBuilder neighbours = new CaseBuilder("an-idle-slice-beside-a-busy-one");
    slice(neighbours, "trainer", "7", Curve.STILL);
    slice(neighbours, "neighbour", "8", Curve.of(0.9));
    cases.add(neighbours.expectPaused(TRAINER).expectBusy("Deployment/ml/neighbour"));
    CaseBuilder two = new CaseBuilder("two-slices-of-one-card-in-one-pod");
    PodBuilder pod =
        two.pod(two.deployment("ml", "trainer"), "trainer-1")
            .resource("nvidia.com/mig-1g.10gb", 2)
            .silent();
    pod.relabel(l -> mig(l, "7")).signal(ENGINE, 0, Curve.of(0.006));
    pod.relabel(l -> mig(l, "8")).signal(ENGINE, 0, Curve.of(0.006));
    cases.add(two.expectPaused(TRAINER));

    Map<String, UnaryOperator<Map<String, String>>> signs = new LinkedHashMap<>();
    signs.put("no-label", l -> l);
    signs.put("a-uuid", l -> with(l, "UUID", "MIG-1234"));
    signs.put("a-profile", l -> with(l, "GPU_I_PROFILE", "1g.10gb"));
    signs.forEach((sign, labels) -> {
      cases.add(
          trainer(
                  "an-instance-known-by-" + sign + "-and-its-cards-utilisation",
                  p ->
                      p.resource("nvidia.com/mig-1g.10gb", 1)
                          .relabel(labels)
                          .silent()
                          .signal(UTIL, 0, Curve.STILL))
              .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
      cases.add(
          trainer(
                  "an-instance-known-by-" + sign + "-and-its-engine",
                  p ->
                      p.resource("nvidia.com/mig-1g.10gb", 1)
                          .relabel(labels)
                          .silent()
                          .signal(ENGINE, 0, Curve.STILL))
              .expectPaused(TRAINER));
    });
    cases.add(
        trainer(
                "an-instance-handed-out-as-a-gpu",
                p ->
                    p.relabel(l -> with(l, "UUID", "MIG-1234"))
                        .silent()
                        .signal(UTIL, 0, Curve.STILL))
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    CaseBuilder parent = new CaseBuilder("a-card-is-not-the-second-instance");
    PodBuilder half =
        parent
            .pod(parent.deployment("ml", "trainer"), "trainer-1")
            .resource("nvidia.com/mig-1g.10gb", 2)
            .silent();
    half.signal(UTIL, 0, Curve.STILL);
    half.relabel(l -> mig(l, "7")).signal(ENGINE, 0, Curve.STILL);
    cases.add(parent.expectUnknown(TRAINER, "SERIES_MISSING"));
    CaseBuilder both = new CaseBuilder("an-instance-and-its-card-under-one-name");
    PodBuilder holder =
        both.pod(both.deployment("ml", "trainer"), "trainer-1")
            .resource("nvidia.com/mig-1g.10gb", 1)
            .silent();
    holder.signal(UTIL, 0, Curve.STILL);
    holder.relabel(l -> mig(l, "7")).signal(ENGINE, 0, Curve.STILL);
    cases.add(both.expectPaused(TRAINER));
  }

  private static void sharing(List<CaseBuilder> cases) {
    CaseBuilder copies = shared("copies-that-name-pods-by-uid-prove-nobodys-work");
    process(copies, "one", Curve.of(30));
    process(copies, "two", Curve.of(30));
    whole(copies, 30);
    cases.add(
        copies
            .expectUnknown("Deployment/ml/one", "SHARED_GPU")
            .expectUnknown("Deployment/ml/two", "SHARED_GPU"));
    CaseBuilder idle = shared("sharers-of-an-idle-card");
    sharer(idle, "one", Curve.STILL);
    sharer(idle, "two", Curve.STILL);
    cases.add(idle.expectPaused("Deployment/ml/one").expectPaused("Deployment/ml/two"));

    CaseBuilder busy = shared("sharers-of-a-busy-card");
    sharer(busy, "one", Curve.of(60));
    sharer(busy, "two", Curve.of(60));
    cases.add(
        busy.expectUnknown("Deployment/ml/one", "SHARED_GPU")
            .expectUnknown("Deployment/ml/two", "SHARED_GPU"));

    CaseBuilder finished = shared("a-finished-pod-on-a-busy-card");
    Owner one = finished.deployment("ml", "one");
    finished.pod(one, "one-2").idle();
    finished
        .pod(one, "one-1")
        .on("shared")
        .finishedAgo("Failed", ofHours(3))
        .silent()
        .signal(UTIL, 0, Curve.of(60));
    sharer(finished, "two", Curve.of(60));
    cases.add(finished.expectPaused("Deployment/ml/one"));

    CaseBuilder ended = shared("a-pod-that-may-have-used-a-shared-card-before-it-ended");
    Owner former = ended.deployment("ml", "one");
    ended.pod(former, "one-2").idle();
    ended
        .pod(former, "one-1")
        .on("shared")
        .finishedAgo("Failed", ofMinutes(10))
        .silent()
        .signal(UTIL, 0, ago -> ago.compareTo(ofMinutes(10)) < 0 ? null : (Object) 60);
    sharer(ended, "two", Curve.of(60));
    cases.add(
        ended
            .expectUnknown("Deployment/ml/one", "SHARED_GPU")
            .expectUnknown("Deployment/ml/two", "SHARED_GPU"));

    CaseBuilder flapping = shared("a-label-that-flaps-between-sharers");
    sharer(flapping, "one", ago -> ago.toSeconds() / 30 % 2 == 0 ? (Object) 0 : null);
    sharer(flapping, "two", ago -> ago.toSeconds() / 30 % 2 == 1 ? (Object) 0 : null);
    cases.add(flapping.expectPaused("Deployment/ml/one").expectPaused("Deployment/ml/two"));

    CaseBuilder unlabelled = shared("a-sharer-that-is-never-named");
    sharer(unlabelled, "one", Curve.STILL);
    unlabelled.pod(unlabelled.deployment("ml", "two"), "two-1").on("shared").silent();
    cases.add(
        unlabelled
            .expectPaused("Deployment/ml/one")
            .expectUnknown("Deployment/ml/two", "SERIES_MISSING"));

    CaseBuilder proven = shared("per-process-values-prove-who");
    sharer(proven, "one", Curve.STILL);
    sharer(proven, "two", Curve.of(55));
    whole(proven, 55);
    cases.add(proven.expectPaused("Deployment/ml/one").expectBusy("Deployment/ml/two"));

    CaseBuilder together = shared("a-card-that-one-of-two-replicas-uses-is-not-idle-beside");
    Owner replicated = together.deployment("ml", "one");
    for (int replica : List.of(1, 2)) {
      together
          .pod(replicated, "one-" + replica)
          .on("shared")
          .relabel(l -> with(l, "vgpu", "" + replica))
          .silent()
          .signal(UTIL, 0, Curve.of(replica == 1 ? 0 : 55));
    }
    whole(together, 55);
    cases.add(together.expect("Deployment/ml/one", "BUSY", "GPU_ACTIVE", "NONE"));

    CaseBuilder apart = shared("two-exporters-that-each-name-one-sharer");
    for (String sharer : List.of("one", "two")) {
      apart
          .pod(apart.deployment("ml", sharer), sharer + "-1")
          .on("shared")
          .relabel(l -> with(l, "instance", sharer + ":9400"))
          .silent()
          .signal(
              UTIL, 0, ago -> sharer.equals("one") && ago.equals(ofMinutes(15)) ? (Object) 50 : 0);
    }
    cases.add(
        apart
            .expectUnknown("Deployment/ml/one", "SHARED_GPU")
            .expectUnknown("Deployment/ml/two", "SHARED_GPU"));

    CaseBuilder trap = shared("the-all-zero-trap");
    sharer(trap, "one", Curve.STILL);
    sharer(trap, "two", Curve.STILL);
    whole(trap, 55);
    cases.add(
        trap.expectUnknown("Deployment/ml/one", "SHARED_GPU")
            .expectUnknown("Deployment/ml/two", "SHARED_GPU"));

    CaseBuilder zeros = shared("zeros-per-process-and-nothing-of-the-card");
    process(zeros, "one", Curve.STILL);
    process(zeros, "two", Curve.STILL);
    cases.add(
        zeros
            .expectUnknown("Deployment/ml/one", "COVERAGE_TOO_LOW")
            .expectUnknown("Deployment/ml/two", "COVERAGE_TOO_LOW"));

    CaseBuilder seen = shared("zeros-per-process-and-of-the-card");
    process(seen, "one", Curve.STILL);
    process(seen, "two", Curve.STILL);
    whole(seen, 0);
    cases.add(seen.expectPaused("Deployment/ml/one").expectPaused("Deployment/ml/two"));

    CaseBuilder alone = shared("a-process-at-work-as-hard-as-the-card");
    process(alone, "one", Curve.of(55));
    whole(alone, 55);
    cases.add(alone.expectBusy("Deployment/ml/one"));

    CaseBuilder renamed = new CaseBuilder("renamed-shared-resource");
    renamed
        .pod(renamed.deployment("ml", "one"), "one-1")
        .on("n1")
        .resource("nvidia.com/gpu.shared", 2)
        .idle();
    cases.add(renamed.expectPaused("Deployment/ml/one"));

    CaseBuilder unmarked = new CaseBuilder("two-pods-on-one-card-of-an-unmarked-node");
    sharer(unmarked, "one", Curve.of(60));
    sharer(unmarked, "two", Curve.of(60));
    cases.add(
        unmarked
            .expectUnknown("Deployment/ml/one", "SHARED_GPU")
            .expectUnknown("Deployment/ml/two", "SHARED_GPU"));
  }

  /** MIG instances that a node time-slices, under the plain name of their resource. */
  private static void sharedInstances(List<CaseBuilder> cases) {
    Map<String, Map<String, String>> signs = new LinkedHashMap<>();
    signs.put("replicas", Map.of("nvidia.com/mig-1g.10gb.replicas", "4"));
    signs.put("strategy", Map.of("nvidia.com/mig-1g.10gb.sharing-strategy", "time-slicing"));
    signs.put(
        "product",
        Map.of("nvidia.com/mig-1g.10gb.product", "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb-SHARED"));
    signs.forEach((sign, labels) -> {
      CaseBuilder busy = new CaseBuilder("a-busy-instance-that-is-shared-by-" + sign);
      busy.node("mig", labels);
      slice(busy, "trainer", "7", Curve.of(0.5));
      cases.add(busy.expectUnknown(TRAINER, "SHARED_GPU"));
      CaseBuilder parts = new CaseBuilder("two-parts-of-an-instance-that-is-shared-by-" + sign);
      parts.node("mig", labels);
      parts
          .pod(parts.deployment("ml", "trainer"), "trainer-1")
          .on("mig")
          .resource("nvidia.com/mig-1g.10gb", 2)
          .relabel(l -> mig(l, "7"))
          .silent()
          .signal(ENGINE, 0, Curve.STILL);
      cases.add(parts.expectPaused(TRAINER));
    });
    CaseBuilder other = new CaseBuilder("instances-beside-another-profile-that-is-shared");
    other.node(
        "mig",
        Map.of("nvidia.com/mig-1g.10gb.replicas", "1", "nvidia.com/mig-2g.20gb.replicas", "4"));
    slice(other, "trainer", "7", Curve.of(0.5));
    cases.add(other.expectBusy(TRAINER));
  }

  private static void duplicates(List<CaseBuilder> cases) {
    for (int offset : List.of(0, 7, 15, 22)) {
      cases.add(
          trainer(
                  "two-prometheis-" + offset + "-seconds-apart",
                  p -> {
                    p.silent();
                    p.relabel(l -> with(l, "prometheus_replica", "a")).signal(UTIL, 0, Curve.STILL);
                    return p.relabel(l -> with(l, "prometheus_replica", "b"))
                        .signal(
                            UTIL,
                            0,
                            ofMinutes(95).plusSeconds(offset),
                            ofSeconds(offset),
                            ofSeconds(30),
                            Curve.STILL);
                  })
              .expectPaused(TRAINER));
    }
    cases.add(
        trainer(
                "doubled-series-do-not-add-up",
                p -> {
                  p.silent();
                  p.relabel(l -> with(l, "replica", "a")).signal(ENGINE, 0, Curve.of(0.006));
                  return p.relabel(l -> with(l, "replica", "b")).signal(ENGINE, 0, Curve.of(0.006));
                })
            .expectPaused(TRAINER));
    cases.add(
        trainer(
                "two-prometheis-both-blind-for-half",
                p -> {
                  p.silent();
                  p.relabel(l -> with(l, "replica", "a"))
                      .signal(UTIL, 0, ofMinutes(15), ZERO, ofSeconds(30), Curve.STILL);
                  return p.relabel(l -> with(l, "replica", "b"))
                      .signal(
                          UTIL,
                          0,
                          ofMinutes(15).plusSeconds(7),
                          ofSeconds(7),
                          ofSeconds(30),
                          Curve.STILL);
                })
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    cases.add(
        trainer(
                "an-exporter-that-restarted",
                p -> {
                  p.silent();
                  p.relabel(l -> with(l, "instance", "10.9.9.1:9400"))
                      .signal(UTIL, 0, ofMinutes(95), ofMinutes(12), ofSeconds(30), Curve.STILL);
                  return p.relabel(l -> with(l, "instance", "10.9.9.2:9400"))
                      .signal(UTIL, 0, ofMinutes(12), ZERO, ofSeconds(30), Curve.STILL);
                })
            .expectPaused(TRAINER));
    cases.add(
        trainer(
                "four-who-look-away-together",
                p -> {
                  p.silent();
                  for (int i = 0; i < 4; i++) {
                    looks(
                        p,
                        "10.9.9." + i,
                        ofMillis(7500L * i),
                        ofSeconds(30),
                        ago -> ago.toMinutes() < 30 && ago.toSeconds() % 300 < 75);
                  }
                  return p.done();
                })
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    cases.add(
        trainer(
                "slow-looks-beside-quick-ones",
                p -> {
                  p.silent();
                  Predicate<Duration> away = ago -> ago.toSeconds() > 840 && ago.toSeconds() < 1000;
                  looks(p, "10.9.9.0", ZERO, ofSeconds(30), away);
                  for (int i = 1; i < 4; i++) {
                    looks(p, "10.9.9." + i, ofSeconds(15L * i - 5), ofSeconds(60), away);
                  }
                  return p.done();
                })
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    cases.add(
        trainer(
                "labels-that-change-make-no-gap-smaller",
                p -> {
                  p.silent();
                  p.relabel(l -> with(l, "app", "a")).signal(UTIL, 0, everyOther(0));
                  return p.relabel(l -> with(l, "app", "b")).signal(UTIL, 0, everyOther(1));
                })
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    cases.add(
        trainer(
                "a-pod-that-the-exporter-forgets-now-and-then",
                p -> {
                  p.form(LabelForm.EXPORTED).silent();
                  p.relabel(l -> without(l, "instance")).signal(UTIL, 0, everyOther(0));
                  return p.relabel(EvidenceCases::withoutPod).signal(UTIL, 0, everyOther(1));
                })
            .expectUnknown(TRAINER, "COVERAGE_TOO_LOW"));
    CaseBuilder evicted = new CaseBuilder("a-dead-pod-whose-card-another-has");
    Owner former = evicted.deployment("ml", "trainer");
    evicted
        .pod(former, "trainer-gone")
        .on("n1")
        .phase("Failed")
        .notReady()
        .withoutContainerStatus()
        .silent()
        .signal(UTIL, 0, ofMinutes(95), ofMinutes(25), ofSeconds(30), Curve.STILL);
    evicted.pod(former, "trainer-1").on("n2").idle();
    evicted
        .pod(evicted.deployment("ml", "next"), "next-1")
        .on("n1")
        .startedAgo(ofMinutes(24))
        .silent()
        .signal(UTIL, 0, ofMinutes(24), ZERO, ofSeconds(30), Curve.of(90));
    cases.add(evicted.expectPaused(TRAINER).expectBusy("Deployment/ml/next"));
    for (String namespace : List.of("gpu", "infra", "ml-platform", "gpu-system")) {
      cases.add(
          trainer(
                  "an-exporter-in-" + namespace,
                  p ->
                      p.form(LabelForm.EXPORTED)
                          .relabel(l -> with(l, "namespace", namespace))
                          .idle())
              .expectPaused(TRAINER));
    }
    CaseBuilder reused = new CaseBuilder("a-former-pod-of-the-same-name");
    Owner set = reused.statefulSet("ml", "db");
    PodBuilder pod = reused.pod(set, "db-0").on("n1").startedAgo(Duration.ofMinutes(80)).silent();
    pod.engineAndUtil(1, Curve.STILL, Curve.STILL);
    pod.signal(UTIL, 0, ofMinutes(95), ofMinutes(81), ofSeconds(30), Curve.of(95));
    cases.add(reused.expectPaused("StatefulSet/ml/db"));
  }

  /** One of two who take turns at a look every 30 s, both silent for two minutes. */
  private static Curve everyOther(int turn) {
    return ago ->
        ago.toSeconds() / 30 % 2 == turn && (ago.toMinutes() < 10 || ago.toMinutes() >= 12)
            ? (Object) 0
            : null;
  }

  /** One card is one, in whichever letters its UUID and its host are written. */
  private static void spellings(List<CaseBuilder> cases) {
    String uuid = "0a1b2c3d-0000-4000-8000-00000000000e";
    Map<String, UnaryOperator<Map<String, String>>> spellings = new LinkedHashMap<>();
    spellings.put("capitals", l -> with(l, "UUID", "GPU-" + uuid.toUpperCase(Locale.ROOT)));
    spellings.put("no-prefix", l -> with(l, "UUID", uuid));
    spellings.put(
        "a-host-in-capitals", l -> with(with(l, "UUID", "GPU-" + uuid), "Hostname", "N1"));
    spellings.forEach((spelling, other) -> {
      CaseBuilder two =
          new CaseBuilder("a-card-and-its-uuid-in-" + spelling + "-are-not-two-cards");
      PodBuilder pod =
          two.pod(two.deployment("ml", "trainer"), "trainer-1").on("n1").gpus(2).silent();
      pod.relabel(l -> with(l, "UUID", "GPU-" + uuid)).signal(ENGINE, 0, Curve.STILL);
      pod.relabel(other).signal(ENGINE, 0, Curve.STILL);
      cases.add(two.expectUnknown(TRAINER, "SERIES_MISSING"));
      CaseBuilder busy = new CaseBuilder("a-card-whose-uuid-is-busy-in-" + spelling);
      PodBuilder one = busy.pod(busy.deployment("ml", "trainer"), "trainer-1").on("n1").silent();
      one.relabel(l -> with(l, "UUID", "GPU-" + uuid)).signal(ENGINE, 0, Curve.STILL);
      one.relabel(l -> with(other.apply(l), "pod", "somebody")).signal(ENGINE, 0, Curve.of(0.5));
      cases.add(busy.expectBusy(TRAINER));
    });
    CaseBuilder dropped = new CaseBuilder("a-card-with-and-without-its-uuid-is-not-two-cards");
    PodBuilder pod =
        dropped.pod(dropped.deployment("ml", "trainer"), "trainer-1").on("n1").gpus(2).silent();
    pod.relabel(l -> with(l, "UUID", "GPU-" + uuid)).signal(ENGINE, 0, Curve.STILL);
    pod.relabel(l -> without(l, "UUID")).signal(ENGINE, 0, Curve.STILL);
    cases.add(dropped.expectUnknown(TRAINER, "SERIES_MISSING"));
  }

  private static Map<String, String> withoutPod(Map<String, String> labels) {
    labels.keySet().removeIf(label -> label.startsWith("exported_"));
    return without(labels, "instance");
  }

  private static Curve gap(Duration newest, Duration length) {
    return ago ->
        ago.compareTo(newest) >= 0 && ago.compareTo(newest.plus(length)) < 0 ? null : (Object) 0;
  }

  private static CaseBuilder utilOnly(
      String name, Duration from, Duration to, Duration step, boolean covered) {
    CaseBuilder built = trainer(name, p -> p.silent().signal(UTIL, 0, from, to, step, Curve.STILL));
    return covered ? built.expectPaused(TRAINER) : built.expectUnknown(TRAINER, "COVERAGE_TOO_LOW");
  }

  private static CaseBuilder migSlice(String name, Curve engine) {
    CaseBuilder built = new CaseBuilder(name);
    slice(built, "trainer", "7", engine);
    return built;
  }

  private static void slice(CaseBuilder built, String workload, String instance, Curve engine) {
    built
        .pod(built.deployment("ml", workload), workload + "-1")
        .on("mig")
        .resource("nvidia.com/mig-1g.10gb", 1)
        .relabel(l -> mig(l, instance))
        .silent()
        .signal(ENGINE, 0, engine);
  }

  private static CaseBuilder shared(String name) {
    return new CaseBuilder(name)
        .node(
            "shared",
            Map.of(
                "nvidia.com/gpu.replicas", "4", "nvidia.com/gpu.sharing-strategy", "time-slicing"));
  }

  private static void sharer(CaseBuilder built, String workload, Curve util) {
    built
        .pod(built.deployment("ml", workload), workload + "-1")
        .on("shared")
        .silent()
        .signal(UTIL, 0, util);
  }

  /** A pod's own share, as newer exporters write it beside the card's series. */
  private static void process(CaseBuilder built, String workload, Curve util) {
    PodBuilder pod = built.pod(built.deployment("ml", workload), workload + "-1").on("shared");
    pod.relabel(l -> with(with(l, "vgpu", workload), "pod_uid", pod.uid()))
        .silent()
        .signal(UTIL, 0, util);
  }

  private static void whole(CaseBuilder built, int util) {
    Map<String, String> card = LabelForm.HONOURED.labels("shared", 0, "", "", "");
    List.of("pod", "namespace", "container").forEach(card::remove);
    built.series(UTIL, card, ofMinutes(95), ZERO, ofSeconds(30), Curve.of(util));
  }

  private static Map<String, String> mig(Map<String, String> labels, String instance) {
    labels.put("GPU_I_PROFILE", "1g.10gb");
    labels.put("GPU_I_ID", instance);
    return labels;
  }

  static Map<String, String> with(Map<String, String> labels, String label, String value) {
    labels.put(label, value);
    return labels;
  }

  static Map<String, String> without(Map<String, String> labels, String label) {
    labels.remove(label);
    return labels;
  }

  /** One exporter's looks at the pod's first card, which does nothing. */
  private static void looks(
      PodBuilder pod, String instance, Duration shift, Duration step, Predicate<Duration> away) {
    pod.relabel(l -> with(l, "instance", instance + ":9400"))
        .signal(
            UTIL,
            0,
            ofMinutes(95).plus(shift),
            ZERO,
            step,
            ago -> away.test(ago) ? null : (Object) 0);
  }
}
