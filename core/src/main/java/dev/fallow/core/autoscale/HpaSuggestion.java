package dev.fallow.core.autoscale;

import dev.fallow.core.fleet.ObjectId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * An autoscaler that fits what a workload's pods did: a metric, a target that can be reached, room
 * on both sides, and patience for pods that take long to load.
 *
 * @param target what one pod should have on average
 * @param settles for how long fewer replicas have to be enough before one goes
 * @param growsEvery how often replicas may double
 * @param reasons why each of it, for people
 */
public record HpaSuggestion(
    ObjectId scales,
    String apiVersion,
    String metric,
    int target,
    int minReplicas,
    int maxReplicas,
    Duration settles,
    Duration growsEvery,
    List<String> reasons) {

  /**
   * What is to be scaled.
   *
   * @param replicas that it is asked to run now
   * @param scalable whether the API server can scale it
   * @param controller what makes it as it is, if something does
   * @param autoscalers of it that there are already
   * @param loading how long its pods took to become ready
   */
  public record Subject(
      ObjectId id,
      String apiVersion,
      int replicas,
      boolean scalable,
      Optional<ObjectId> controller,
      List<String> autoscalers,
      Optional<Duration> loading) {
    public Subject {
      autoscalers = List.copyOf(autoscalers);
    }
  }

  /** What came of it. */
  public sealed interface Outcome {

    record Proposed(HpaSuggestion hpa) implements Outcome {}

    /**
     * @param why with what to do about it
     */
    record Refused(String why) implements Outcome {}
  }

  private static final double HEADROOM = 0.8;
  private static final double SATURATED = 95;
  private static final int TARGET_OF_SATURATED = 70;
  private static final int HIGHEST_SHARE = 80;
  private static final int LONGEST_QUEUE = 10;
  private static final int USUAL_QUEUE = 5;
  private static final Duration SHORTEST_SETTLING = Duration.ofMinutes(5);
  private static final Duration LONGEST_SETTLING = Duration.ofHours(1);
  private static final Duration SHORTEST_GROWTH = Duration.ofMinutes(1);
  private static final Duration LONGEST_GROWTH = Duration.ofMinutes(30);

  public HpaSuggestion {
    reasons = List.copyOf(reasons);
  }

  /**
   * @param use of its GPUs
   * @param queues of requests that its pods tell of, the likelier first
   */
  public static Outcome of(Subject subject, UseHistory use, List<UseHistory> queues) {
    return obstacle(subject)
        .<Outcome>map(Outcome.Refused::new)
        .orElseGet(() -> propose(subject, use, queues));
  }

  /** Why no autoscaler would do, whatever was measured. */
  public static Optional<String> obstacle(Subject subject) {
    ObjectId id = subject.id();
    if (!subject.autoscalers().isEmpty()) {
      String name = subject.autoscalers().getFirst();
      return Optional.of(
          id
              + " is scaled already, by "
              + String.join(", ", subject.autoscalers())
              + "; fallow hpa explain "
              + name
              + " -n "
              + id.namespace()
              + " says what that makes of the numbers");
    }
    if (subject.controller().isPresent()) {
      ObjectId above = subject.controller().get();
      return Optional.of(
          id
              + " is kept as it is by "
              + above
              + ", which would undo what an autoscaler does; "
              + (isInferenceService(above)
                  ? "set minReplicas, maxReplicas and the scale metric there"
                  : "name that one"));
    }
    if (!subject.scalable()) {
      return Optional.of(
          id
              + " cannot be scaled by the API server, so no HorizontalPodAutoscaler can; "
              + (isInferenceService(id)
                  ? "KServe makes its autoscaler: set minReplicas, maxReplicas and the scale"
                      + " metric of the InferenceService"
                  : "a Deployment, StatefulSet or LeaderWorkerSet can"));
    }
    return Optional.empty();
  }

  private static boolean isInferenceService(ObjectId id) {
    return id.is("serving.kserve.io", "InferenceService");
  }

  private static Outcome propose(Subject subject, UseHistory use, List<UseHistory> queues) {
    Optional<UseHistory> queue = queues.stream().filter(UseHistory::enough).findFirst();
    if (queue.isEmpty() && !use.enough()) {
      return new Outcome.Refused(unknown(subject, use));
    }
    boolean used = use.enough() && use.most() >= 1;
    boolean queued = queue.isPresent() && queue.get().most() > 0;
    if (!used && !queued) {
      return new Outcome.Refused(
          subject.id()
              + " did nothing in the last "
              + length(use.span())
              + ", so no target can be told from it; put load on it and ask again, or see fallow"
              + " why "
              + subject.id().kind().toLowerCase(Locale.ROOT)
              + "/"
              + subject.id().name());
    }
    List<String> reasons = new ArrayList<>();
    UseHistory scaledOn = queue.orElse(use);
    reasons.add(basis(scaledOn));
    int target = queue.isPresent() ? queueTarget(scaledOn, reasons) : useTarget(use, reasons);
    // How many GPUs were at work tells more of how many are needed than who waited beside them.
    UseHistory sizedBy = used ? use : scaledOn;
    int each = used && queue.isPresent() ? useTarget(use, new ArrayList<>()) : target;
    boolean saturated = used && use.quantile(0.95) >= SATURATED;
    int present = Math.max(1, subject.replicas());
    int min = Math.clamp(sizedBy.needed(each, 0.1), 1, present);
    int peak = sizedBy.needed(each, 1);
    int max =
        Math.max(
            Math.max((int) Math.ceil(peak * 1.5), saturated ? 2 * present : present + 1), min + 1);
    reasons.add(
        "minReplicas "
            + min
            + ": quiet moments needed "
            + sizedBy.needed(each, 0.1)
            + " at "
            + each
            + " of "
            + sizedBy.metric()
            + " each, and it runs "
            + subject.replicas()
            + " now");
    reasons.add(
        "maxReplicas "
            + max
            + ": the busiest moment needed "
            + peak
            + ", and half as many again are allowed"
            + (saturated ? "; its GPUs were at their limit, so it may have needed more" : ""));
    Duration loading = subject.loading().orElse(Duration.ZERO);
    Duration settles = within(loading.multipliedBy(4), SHORTEST_SETTLING, LONGEST_SETTLING);
    Duration grows = within(loading.plusMinutes(1), SHORTEST_GROWTH, LONGEST_GROWTH);
    reasons.add(
        subject
            .loading()
            .map(took ->
                "behavior: its pods took "
                    + length(took)
                    + " to become ready, so a pod goes only after "
                    + length(settles)
                    + " and replicas double at most every "
                    + length(grows))
            .orElse("behavior: how long its pods take to become ready is not known"));
    return new Outcome.Proposed(
        new HpaSuggestion(
            subject.id(),
            subject.apiVersion(),
            scaledOn.metric(),
            target,
            min,
            max,
            settles,
            grows,
            reasons));
  }

  private static String unknown(Subject subject, UseHistory use) {
    String found =
        use.moments().isEmpty()
            ? "none of the pods that " + subject.id() + " has now was measured"
            : "the pods that "
                + subject.id()
                + " has now were measured at "
                + use.moments().size()
                + " of "
                + use.looks()
                + " moments only";
    return found
        + " in the last "
        + length(use.span())
        + "; give --prometheus-url a Prometheus that has their history, choose a shorter --history,"
        + " or wait. fallow doctor says what is missing";
  }

  private static String basis(UseHistory history) {
    return "from "
        + history.moments().size()
        + " of "
        + history.looks()
        + " moments of the last "
        + length(history.span())
        + ", of the pods that are there now; pods that are gone are not counted";
  }

  private static int useTarget(UseHistory use, List<String> reasons) {
    double p95 = use.quantile(0.95);
    if (p95 >= SATURATED) {
      reasons.add(
          "target "
              + TARGET_OF_SATURATED
              + ": pods were at "
              + number(p95)
              + " in the busiest twentieth of the time, which is all they have; how much more was"
              + " asked for is not known");
      return TARGET_OF_SATURATED;
    }
    boolean rare = p95 < 1;
    double high = rare ? use.most() : p95;
    int target = (int) Math.clamp(Math.floor(high * HEADROOM), 1, HIGHEST_SHARE);
    reasons.add(
        "target "
            + target
            + ": a fifth below "
            + number(high)
            + ", which a pod had "
            + (rare ? "at most" : "or more in a twentieth of the time")
            + ", so that it is reached, with room left while another pod loads");
    reasons.add(
        "gpu_utilization says whether a kernel ran: if this serves a language model, one request"
            + " keeps it near 100, and requests that wait tell more");
    return target;
  }

  private static int queueTarget(UseHistory queue, List<String> reasons) {
    double p95 = queue.quantile(0.95);
    reasons.add(
        "metric "
            + queue.metric()
            + ": its pods tell how many requests wait, which says more than how busy GPUs are");
    if (p95 < 1) {
      reasons.add(
          "target "
              + USUAL_QUEUE
              + ": hardly a request waited, so nothing is known of how many may; begin here, and"
              + " raise it until answers become too slow");
      return USUAL_QUEUE;
    }
    int target = (int) Math.clamp(Math.floor(p95 * HEADROOM), 1, LONGEST_QUEUE);
    reasons.add(
        "target "
            + target
            + ": below "
            + number(p95)
            + " waiting requests, which a pod had or more in a twentieth of the time; raise it"
            + " until answers become too slow");
    return target;
  }

  private static Duration within(Duration length, Duration least, Duration most) {
    if (length.compareTo(least) < 0) {
      return least;
    }
    return length.compareTo(most) > 0 ? most : length;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value).replaceAll("\\.0$", "");
  }

  private static String length(Duration length) {
    if (length.toHours() >= 2) {
      return length.toHours() + " h";
    }
    return length.toMinutes() >= 2 ? length.toMinutes() + " min" : length.toSeconds() + " s";
  }
}
