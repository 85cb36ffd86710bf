package dev.fallow.systemtests.campaign;

import static dev.fallow.systemtests.campaign.AuditScript.time;

import dev.fallow.rig.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A run made up by hand, with a product that keeps all promises unless told otherwise. Windows are
 * ten minutes, cycles one, and an hour has passed when anything happens.
 */
final class MadeUpRun {
  static final String US = "fallow";
  static final String OWNER = "alice";
  static final RunSettings SETTINGS =
      new RunSettings(
          US,
          Duration.ofMinutes(10),
          Duration.ofMinutes(1),
          Duration.ZERO,
          Duration.ofMinutes(1),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ZERO,
          Duration.ofMinutes(2),
          2,
          0.5,
          Duration.ofHours(1),
          Set.of("kube-system"));

  final AuditScript api = new AuditScript();
  final List<GroundTruth.TrueWorkload> workloads = new ArrayList<>();
  final List<KeepRequest> keeps = new ArrayList<>();
  final List<LedgerRecord> ledger = new ArrayList<>();
  final List<Darkness> dark = new ArrayList<>();
  final List<Span> blind = new ArrayList<>();
  final List<Instant> cycles = new ArrayList<>();
  long healed = 7_200;
  long end = 7_200;

  /** When the product was last left to itself, if that was before the end. */
  long rested = Long.MAX_VALUE;

  static ObjectRef deployment(String namespace, String name) {
    return new ObjectRef("apps", "deployments", namespace, name);
  }

  /** A Deployment with three replicas whose one GPU has been idle from the beginning. */
  ObjectRef idle(String name) {
    return workload(
        deployment("ml", name), "{\"spec\":{\"replicas\":3,\"paused\":false}}", List.of());
  }

  ObjectRef busy(String name, long from, long to) {
    return workload(
        deployment("ml", name),
        "{\"spec\":{\"replicas\":3}}",
        List.of(new Span(time(from), time(to))));
  }

  ObjectRef workload(ObjectRef object, String json, List<Span> active) {
    api.create(OWNER, object, json);
    know(object, List.of(object), active);
    return object;
  }

  void know(ObjectRef object, List<ObjectRef> switches, List<Span> active) {
    GroundTruth.TrueGpu idleGpu = new GroundTruth.TrueGpu("GPU-0", List.of());
    GroundTruth.TrueGpu gpu = new GroundTruth.TrueGpu("GPU-1", active);
    GroundTruth.TruePod pod =
        new GroundTruth.TruePod(object.name() + "-1", Span.since(time(0)), List.of(idleGpu, gpu));
    workloads.add(
        new GroundTruth.TrueWorkload(
            object, title(object), switches, List.of(pod), List.of(), true));
  }

  static String title(ObjectRef object) {
    return object.kind() + "/" + object.namespace() + "/" + object.name();
  }

  MadeUpRun at(long second) {
    api.at(second);
    return this;
  }

  void intend(ObjectRef object, String id, int epoch) {
    api.patch(
        US,
        object,
        annotations(
            Json.quote(Marks.INTENT)
                + ":"
                + Json.quote("{\"id\":\"%s\",\"epoch\":%d}".formatted(id, epoch))));
  }

  /** The whole of a pause as it should be: intent, write, record. */
  void pause(ObjectRef object, String id) {
    intend(object, id, 1);
    String field =
        PauseField.of(object).isReplicas()
            ? "\"spec\":{\"replicas\":0}"
            : "\"spec\":{\"suspend\":true}";
    api.patch(US, object, pausePatch(object, id, field, before(object)));
    record(object, id);
  }

  void record(ObjectRef object, String id) {
    ledger.add(new LedgerRecord(id, LedgerRecord.PAUSE, time(0), title(object)));
  }

  void doubt(ObjectRef object, String id) {
    ledger.add(new LedgerRecord(id, LedgerRecord.DOUBTFUL_PAUSE, time(0), title(object)));
  }

  String before(ObjectRef object) {
    Json replicas = api.object(object).at("spec", "replicas");
    return replicas.isMissing() ? "{\"v\":1}" : "{\"v\":1,\"replicas\":%s}".formatted(replicas);
  }

  String pausePatch(ObjectRef object, String id, String field, String before) {
    return """
    {"metadata":{"resourceVersion":"%s","annotations":{"fallow.dev/intent":null,%s}},%s}\
    """
        .formatted(api.revision(object), marks(id, before), field);
  }

  static String marks(String id, String before) {
    return """
    "fallow.dev/paused-at":"2026-01-05T09:00:00Z","fallow.dev/paused-by":"fallow",\
    "fallow.dev/pause-reason":"idle","fallow.dev/action-id":"%s","fallow.dev/before-pause":%s\
    """
        .formatted(id, Json.quote(before));
  }

  void resume(ObjectRef object, String field) {
    api.patch(
        US,
        object,
        """
        {"metadata":{"resourceVersion":"%s","annotations":{"fallow.dev/paused-at":null,
          "fallow.dev/paused-by":null,"fallow.dev/pause-reason":null,"fallow.dev/action-id":null,
          "fallow.dev/before-pause":null}},%s}\
        """
            .formatted(api.revision(object), field));
  }

  static String annotations(String json) {
    return "{\"metadata\":{\"annotations\":{" + json + "}}}";
  }

  /** Replaces the truth about the workload that was made last. */
  void lastIs(List<Span> exempt, boolean pausable) {
    GroundTruth.TrueWorkload last = workloads.removeLast();
    workloads.add(
        new GroundTruth.TrueWorkload(
            last.object(), last.title(), last.switches(), last.pods(), exempt, pausable));
  }

  Evidence evidence() {
    return new Evidence(
        api.entries(),
        new GroundTruth(workloads),
        keeps,
        ledger,
        dark,
        blind,
        cycles,
        time(healed),
        time(Math.min(rested, end)),
        time(end));
  }

  Checker.Findings check() {
    return new Checker(SETTINGS).check(evidence());
  }

  /** The names of the promises that were broken, once each. */
  List<String> broken() {
    return check().violations().stream().map(Violation::invariant).distinct().toList();
  }
}
