package dev.fallow.core.prune;

import static dev.fallow.core.prune.RefusalReason.ACKNOWLEDGED;
import static dev.fallow.core.prune.RefusalReason.EXEMPT;
import static dev.fallow.core.prune.RefusalReason.FILTERED_OUT;
import static dev.fallow.core.prune.RefusalReason.KIND_DISABLED;
import static dev.fallow.core.prune.RefusalReason.NO_SCALABLE_OWNER;
import static dev.fallow.core.prune.RefusalReason.PAUSED_ALREADY;
import static dev.fallow.core.prune.RefusalReason.PROTECTED_NAMESPACE;
import static dev.fallow.core.prune.RefusalReason.UNREADABLE_ANNOTATION;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.Verdict;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Decides what one cycle would do with each workload. It only ever looks at idle ones. */
public final class PrunePlanner {

  /** The order is the policy: certain and cheap first. It is the order of the reasons. */
  private static final List<PruneCheck> CHAIN =
      List.of(
          PrunePlanner::noScalableOwner,
          PrunePlanner::pausedAlready,
          PrunePlanner::exempt,
          PrunePlanner::protectedNamespace,
          PrunePlanner::filteredOut,
          PrunePlanner::kindDisabled,
          PrunePlanner::unreadable,
          PrunePlanner::acknowledged);

  private PrunePlanner() {}

  public static List<Decision> plan(
      List<Assessment> assessments, ClusterState cluster, PrunePolicy policy, Instant at) {
    Map<String, NamespaceFacts> namespaces = new HashMap<>();
    cluster.namespaces().forEach(namespace -> namespaces.put(namespace.name(), namespace));
    return assessments.stream()
        .map(assessment ->
            decide(
                new Candidate(
                    assessment,
                    Optional.ofNullable(namespaces.get(assessment.workload().namespace())),
                    policy,
                    at)))
        .toList();
  }

  private static Decision decide(Candidate candidate) {
    if (!(candidate.assessment().verdict() instanceof Verdict.Idle)) {
      return new Decision(candidate.assessment(), Action.NONE, Optional.empty());
    }
    for (PruneCheck check : CHAIN) {
      Optional<Refusal> refusal = check.refuse(candidate);
      if (refusal.isPresent()) {
        Action action = refusal.get().reason() == ACKNOWLEDGED ? Action.KEEP : Action.NONE;
        return new Decision(candidate.assessment(), action, refusal);
      }
    }
    return new Decision(candidate.assessment(), Action.PAUSE, Optional.empty());
  }

  private static Optional<Refusal> noScalableOwner(Candidate candidate) {
    Optional<String> broken = candidate.workload().brokenBy();
    if (broken.isPresent()) {
      return refused(NO_SCALABLE_OWNER, broken.get());
    }
    return PausableKind.of(candidate.workload().root()).isPresent()
        ? Optional.empty()
        : refused(
            NO_SCALABLE_OWNER,
            "a " + candidate.workload().root().qualifiedKind() + " cannot be paused");
  }

  private static Optional<Refusal> pausedAlready(Candidate candidate) {
    PausableKind kind = PausableKind.of(candidate.workload().root()).orElseThrow();
    return candidate.workload().rootObject().filter(kind::paused).isPresent()
        ? refused(PAUSED_ALREADY, candidate.workload().root() + " is at zero already")
        : Optional.empty();
  }

  private static Optional<Refusal> exempt(Candidate candidate) {
    Optional<String> ofNamespace =
        candidate
            .namespace()
            .map(namespace -> namespace.annotations().getOrDefault(Annotations.EXEMPT, ""))
            .filter(text -> !text.isEmpty())
            .map(text -> "its namespace is exempt: " + text);
    Optional<String> ofWorkload =
        candidate.marked(Annotations.EXEMPT).stream()
            .filter(mark -> !mark.value().isEmpty())
            .map(mark -> mark.where() + " is exempt: " + mark.abridged())
            .findFirst();
    return ofWorkload.or(() -> ofNamespace).flatMap(sentence -> refused(EXEMPT, sentence));
  }

  private static Optional<Refusal> unreadable(Candidate candidate) {
    return candidate
        .assessment()
        .unreadable()
        .flatMap(sentence -> refused(UNREADABLE_ANNOTATION, sentence));
  }

  private static Optional<Refusal> protectedNamespace(Candidate candidate) {
    String namespace = candidate.workload().namespace();
    return candidate.policy().excluded().test(namespace)
        ? refused(PROTECTED_NAMESPACE, "namespace " + namespace + " is excluded")
        : Optional.empty();
  }

  private static Optional<Refusal> filteredOut(Candidate candidate) {
    String namespace = candidate.workload().namespace();
    Optional<Predicate<String>> namespaces = candidate.policy().namespaces();
    if (namespaces.isPresent() && !namespaces.get().test(namespace)) {
      return refused(FILTERED_OUT, "namespace " + namespace + " does not match --namespace");
    }
    Optional<Predicate<String>> models = candidate.policy().models();
    if (models.isEmpty()) {
      return Optional.empty();
    }
    List<String> held = candidate.assessment().models();
    return !held.isEmpty() && held.stream().allMatch(models.get())
        ? Optional.empty()
        : refused(FILTERED_OUT, "its GPUs " + held + " do not all match --model-name");
  }

  private static Optional<Refusal> kindDisabled(Candidate candidate) {
    PausableKind kind = PausableKind.of(candidate.workload().root()).orElseThrow();
    return candidate.policy().kinds().contains(kind)
        ? Optional.empty()
        : refused(
            KIND_DISABLED,
            candidate.workload().root().qualifiedKind()
                + " is not switched on (letter "
                + kind.letter()
                + " of --enabled-resources)");
  }

  private static Optional<Refusal> acknowledged(Candidate candidate) {
    return Keep.binding(candidate).flatMap(sentence -> refused(ACKNOWLEDGED, sentence));
  }

  private static Optional<Refusal> refused(RefusalReason reason, String sentence) {
    return Optional.of(new Refusal(reason, sentence));
  }
}
