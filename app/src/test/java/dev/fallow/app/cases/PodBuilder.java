package dev.fallow.app.cases;

import dev.fallow.app.cases.CaseBuilder.Curve;
import dev.fallow.app.cases.CaseBuilder.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A pod of a case, its devices and what their exporter saw. */
public final class PodBuilder {

  private static final Duration HISTORY = Duration.ofMinutes(95);

  private final CaseBuilder builder;
  private final Owner owner;
  public final String namespace;
  public final String name;
  private String node;
  private String resource = "nvidia.com/gpu";
  private int gpus = 1;
  private String phase = "Running";
  private Duration startedAgo = Duration.ofDays(1);
  private Duration createdAgo;
  private Duration readyAgo;
  private boolean ready = true;
  private Duration terminatedAgo;
  private final Objects object;
  private final String uid;
  private LabelForm form = LabelForm.HONOURED;
  private UnaryOperator<Map<String, String>> relabel = labels -> labels;
  private boolean noContainerStatus;
  private boolean aSidecarWaits;

  PodBuilder(CaseBuilder builder, Owner owner, String namespace, String name) {
    this.builder = builder;
    this.owner = owner;
    this.namespace = namespace;
    this.name = name;
    this.node = "node-of-" + name;
    this.uid = builder.uid();
    this.object = Objects.of("v1", "Pod", namespace, name, uid);
  }

  public PodBuilder on(String otherNode) {
    node = otherNode;
    return this;
  }

  public PodBuilder gpus(int count) {
    gpus = count;
    return this;
  }

  public PodBuilder resource(String resourceName, int count) {
    resource = resourceName;
    gpus = count;
    return this;
  }

  public PodBuilder phase(String other) {
    phase = other;
    return this;
  }

  public PodBuilder startedAgo(Duration ago) {
    startedAgo = ago;
    return this;
  }

  public PodBuilder createdAgo(Duration ago) {
    createdAgo = ago;
    return this;
  }

  public PodBuilder readyAgo(Duration ago) {
    readyAgo = ago;
    return this;
  }

  public PodBuilder notReady() {
    ready = false;
    return this;
  }

  public PodBuilder finishedAgo(String how, Duration ago) {
    phase = how;
    terminatedAgo = ago;
    ready = false;
    return this;
  }

  /** Its GPU container runs, and the pod is Pending all the same: another one waits. */
  public PodBuilder whileASidecarWaits() {
    phase = "Pending";
    ready = false;
    aSidecarWaits = true;
    return this;
  }

  public PodBuilder withoutContainerStatus() {
    noContainerStatus = true;
    return this;
  }

  public PodBuilder label(String key, String value) {
    object.labels(Map.of(key, value));
    return this;
  }

  public PodBuilder annotation(String key, String value) {
    object.annotations(Map.of(key, value));
    return this;
  }

  public PodBuilder form(LabelForm other) {
    form = other;
    return this;
  }

  public PodBuilder relabel(UnaryOperator<Map<String, String>> change) {
    relabel = change;
    return this;
  }

  public Objects object() {
    return object;
  }

  public String uid() {
    return uid;
  }

  /** As an owner, for a LeaderWorkerSet's leader. */
  public Owner asOwner() {
    return new Owner("v1", "Pod", namespace, name, uid);
  }

  /** Writes the pod, without any series. */
  public PodBuilder silent() {
    object.controlledBy(owner);
    Instant at = builder.at();
    object.meta(
        "creationTimestamp",
        at.minus(createdAgo == null ? startedAgo.plusSeconds(20) : createdAgo));
    Map<String, Object> container = new LinkedHashMap<>();
    container.put("name", "main");
    container.put("resources", Map.of("limits", Map.of(resource, Integer.toString(gpus))));
    if (!node.isEmpty()) {
      object.spec("nodeName", node);
    }
    object.spec("containers", List.of(container));
    object.status("phase", phase);
    if ((!phase.equals("Pending") || aSidecarWaits) && !noContainerStatus) {
      String started = at.minus(startedAgo).toString();
      Map<String, Object> state =
          terminatedAgo == null
              ? Map.of("running", Map.of("startedAt", started))
              : Map.of(
                  "terminated",
                  Map.of("startedAt", started, "finishedAt", at.minus(terminatedAgo).toString()));
      object.status(
          "containerStatuses",
          List.of(Map.of("name", "main", "ready", ready, "restartCount", 0, "state", state)));
    }
    if (!phase.equals("Pending") && ready) {
      object.status(
          "conditions",
          List.of(
              Map.of(
                  "type",
                  "Ready",
                  "status",
                  "True",
                  "lastTransitionTime",
                  at.minus(readyAgo == null ? startedAgo.minusSeconds(5) : readyAgo).toString())));
    }
    builder.object(object.map());
    return this;
  }

  /** Writes the pod and, for each of its devices, a still engine and utilisation. */
  public CaseBuilder idle() {
    return each(Curve.STILL);
  }

  public CaseBuilder busy() {
    silent();
    for (int index = 0; index < gpus; index++) {
      engineAndUtil(index, Curve.of(0.8), Curve.of(80));
    }
    return builder;
  }

  /** Writes the pod; every device follows the curve, in percent. */
  public CaseBuilder each(Curve percent) {
    silent();
    for (int index = 0; index < gpus; index++) {
      engineAndUtil(
          index,
          ago -> {
            Object value = percent.at(ago);
            return value instanceof Number number ? (Object) (number.doubleValue() / 100) : value;
          },
          percent);
    }
    return builder;
  }

  public CaseBuilder engineAndUtil(int index, Curve engine, Curve util) {
    signal("DCGM_FI_PROF_GR_ENGINE_ACTIVE", index, engine);
    return signal("DCGM_FI_DEV_GPU_UTIL", index, util);
  }

  /** One signal of one device, every 30 s over the window and the hour before. */
  public CaseBuilder signal(String metric, int index, Curve curve) {
    return signal(metric, index, HISTORY, Duration.ZERO, Duration.ofSeconds(30), curve);
  }

  public CaseBuilder signal(
      String metric, int index, Duration from, Duration to, Duration step, Curve curve) {
    Map<String, String> labels = relabel.apply(form.labels(node, index, namespace, name, uid));
    return builder.series(form.metric(metric), labels, from, to, step, curve);
  }

  public PodBuilder then(List<String> metrics, Curve curve) {
    for (int index = 0; index < gpus; index++) {
      for (String metric : metrics) {
        signal(metric, index, curve);
      }
    }
    return this;
  }

  /** The case the pod is of. */
  public CaseBuilder done() {
    return builder;
  }

  /** A pod that no series names. */
  public CaseBuilder unseen() {
    return silent().done();
  }
}
