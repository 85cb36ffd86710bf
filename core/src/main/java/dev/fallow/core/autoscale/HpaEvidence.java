package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricName.Across;
import dev.fallow.core.autoscale.MetricName.Kind;
import dev.fallow.core.autoscale.MetricName.Over;
import dev.fallow.core.autoscale.Question.Subject;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.OwnerRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a snapshot, and those of the past, tell of a workload that might be scaled. */
public final class HpaEvidence {

  /** What servers of models call the requests that wait. */
  public static final List<String> QUEUES =
      List.of(
          "vllm:num_requests_waiting",
          "sglang:num_queue_reqs",
          "tgi_queue_size",
          "nv_inference_pending_request_count");

  private static final Over SMOOTHED = new Over.Span(Kind.MEAN, 0, Duration.ofMinutes(5));
  private static final Set<String> SCALABLE = Set.of("Deployment", "StatefulSet", "ReplicaSet");

  private HpaEvidence() {}

  /** Every object that stands above a GPU pod. */
  public static List<ObjectId> workloads(Numbers numbers) {
    return numbers.owned().values().stream().map(Numbers.Owned::id).toList();
  }

  /** What has to be read for a metric. */
  public static Set<Feed> feeds(String metric) {
    return question(metric).map(Question::feeds).orElse(new LinkedHashSet<>());
  }

  private static Optional<Question> question(String metric) {
    Optional<Measure> measure = Measure.of(metric);
    return measure.isPresent()
        ? Optional.of(Question.of(measure.get(), SMOOTHED))
        : Feed.of(metric)
            .map(feed ->
                new Question(
                    new Subject.OfFamily(metric, feed),
                    Across.USUAL,
                    SMOOTHED,
                    Selector.ANY,
                    false));
  }

  /** Each pod's number at the moment of the snapshot, of those that were ready then. */
  public static List<Double> values(Numbers numbers, ObjectId workload, String metric) {
    Instant at = numbers.readings().at();
    List<Double> values = new ArrayList<>();
    Optional<Question> question = question(metric).filter(numbers::has);
    for (GpuPod pod : question.isPresent() ? pods(numbers, workload) : List.<GpuPod>of()) {
      boolean ready = pod.readySince().filter(since -> !since.isAfter(at)).isPresent();
      if (ready && numbers.of(pod, question.get()) instanceof PodNumber.Measured one) {
        values.add(one.reading().value());
      }
    }
    return values;
  }

  /**
   * @param autoscalers of the workload's namespace
   */
  public static HpaSuggestion.Subject subject(
      Numbers numbers, ObjectId workload, List<Hpa> autoscalers) {
    List<GpuPod> pods = pods(numbers, workload);
    Optional<OwnerObject> object =
        numbers.readings().cluster().owners().stream()
            .filter(one -> one.id().equals(workload))
            .findFirst();
    long live = pods.stream().filter(GpuPod::live).count();
    long replicas = object.flatMap(HpaEvidence::asked).orElse(live);
    return new HpaSuggestion.Subject(
        workload,
        numbers.readings().around().nameOf(workload.group(), workload.kind()).apiVersion(),
        Math.clamp(replicas, 0, Integer.MAX_VALUE),
        (workload.group().equals("apps") && SCALABLE.contains(workload.kind()))
            || object.map(OwnerObject::scalable).orElse(false),
        object
            .flatMap(one -> one.controllers().stream().findFirst())
            .map(above -> id(above, workload.namespace())),
        autoscalers.stream()
            .filter(hpa -> hpa.scales().equals(Numbers.place(workload)))
            .map(Hpa::name)
            .toList(),
        loading(pods));
  }

  private static Optional<Long> asked(OwnerObject object) {
    return object.replicas().isPresent()
        ? Optional.of(object.replicas().getAsLong())
        : Optional.empty();
  }

  private static ObjectId id(OwnerRef reference, String namespace) {
    return new ObjectId(
        reference.group(), reference.kind(), namespace, reference.name(), reference.uid());
  }

  /** Half of its ready pods took no longer; one that fell and rose again says little. */
  private static Optional<Duration> loading(List<GpuPod> pods) {
    List<Duration> took = new ArrayList<>();
    for (GpuPod pod : pods) {
      if (pod.started().isPresent() && pod.readySince().isPresent()) {
        Duration one = Duration.between(pod.started().get(), pod.readySince().get());
        if (!one.isNegative()) {
          took.add(one);
        }
      }
    }
    return took.isEmpty()
        ? Optional.empty()
        : Optional.of(took.stream().sorted().toList().get((took.size() - 1) / 2));
  }

  private static List<GpuPod> pods(Numbers numbers, ObjectId workload) {
    Numbers.Owned owned = numbers.owned().get(Numbers.place(workload));
    return owned == null ? List.of() : owned.pods();
  }
}
