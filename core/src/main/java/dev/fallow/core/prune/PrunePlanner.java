package dev.fallow.core.prune;

import static dev.fallow.core.prune.RefusalReason.ACKNOWLEDGED;
import static dev.fallow.core.prune.RefusalReason.BUDGET_SPENT;
import static dev.fallow.core.prune.RefusalReason.CONTESTED;
import static dev.fallow.core.prune.RefusalReason.EXEMPT;
import static dev.fallow.core.prune.RefusalReason.FILTERED_OUT;
import static dev.fallow.core.prune.RefusalReason.FLEET_IMPLAUSIBLE;
import static dev.fallow.core.prune.RefusalReason.KIND_DISABLED;
import static dev.fallow.core.prune.RefusalReason.NO_SCALABLE_OWNER;
import static dev.fallow.core.prune.RefusalReason.PAUSED_ALREADY;
import static dev.fallow.core.prune.RefusalReason.PROTECTED_NAMESPACE;
import static dev.fallow.core.prune.RefusalReason.RESUMED_LATELY;
import static dev.fallow.core.prune.RefusalReason.UNREADABLE_ANNOTATION;

import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.Verdict;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

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
          PrunePlanner::acknowledged,
          PrunePlanner::unreadable,
          PrunePlanner::contested,
          PrunePlanner::resumedLately);

  private PrunePlanner() {}

  public static List<Decision> plan(
      List<Assessment> assessments, ClusterState cluster, PrunePolicy policy, Instant at) {
    return plan(assessments, cluster, policy, at, PruneMemory.NOTHING);
  }

  public static List<Decision> plan(
      List<Assessment> assessments,
      ClusterState cluster,
      PrunePolicy policy,
      Instant at,
      PruneMemory remembered) {
    Map<String, NamespaceFacts> namespaces = new HashMap<>();
    cluster.namespaces().forEach(namespace -> namespaces.put(namespace.name(), namespace));
    List<OwnerObject> scalers =
        cluster.owners().stream().filter(owner -> owner.scales().isPresent()).toList();
    Function<Assessment, Candidate> asCandidate =
        assessment ->
            new Candidate(
                assessment,
                Optional.ofNullable(namespaces.get(assessment.workload().namespace())),
                policy,
                at,
                scalers);
    List<Decision> alone =
        assessments.stream().map(assessment -> decide(asCandidate.apply(assessment))).toList();
    Plausibility plausibility = new Plausibility(policy, cluster, at);
    Optional<Refusal> doubt = plausibility.doubt(assessments).map(PrunePlanner::implausible);
    if (doubt.isPresent()) {
      return alone.stream().map(decision -> refusedBy(doubt.get(), decision)).toList();
    }
    Optional<Refusal> tooEarly =
        plausibility.doubtOfHurried(assessments).map(PrunePlanner::implausible);
    List<Decision> believed =
        alone.stream()
            .map(decision ->
                tooEarly
                    .filter(refusal -> decision.assessment().course().hurried())
                    .map(refusal -> refusedBy(refusal, decision))
                    .orElse(decision))
            .toList();
    List<Decision> told =
        believed.stream()
            .map(decision ->
                policy
                    .notice()
                    .filter(given -> decision.action() == Action.PAUSE)
                    .flatMap(given -> given.refuse(asCandidate.apply(decision.assessment())))
                    .map(refusal -> refusedBy(refusal, decision))
                    .orElse(decision))
            .toList();
    // What cannot be changed would take the place of what can.
    List<Decision> changeable =
        told.stream()
            .map(decision ->
                Optional.ofNullable(
                        remembered.refused().get(decision.assessment().workload().root().uid()))
                    .map(refusal -> refusedBy(refusal, decision))
                    .orElse(decision))
            .toList();
    return withinBudget(
        changeable,
        new Budget(policy.limits(), assessments, cluster, remembered, at),
        Waste.greatestFirst(at, policy.prices()));
  }

  /** The greatest waste is paused first; whatever finds the budget spent waits. */
  private static List<Decision> withinBudget(
      List<Decision> decisions, Budget budget, Comparator<Decision> first) {
    IdentityHashMap<Decision, Refusal> refused = new IdentityHashMap<>();
    decisions.stream()
        .filter(decision -> decision.action() == Action.PAUSE)
        .sorted(first)
        .forEach(decision ->
            budget
                .spend(decision.assessment().workload())
                .ifPresent(sentence -> refused.put(decision, new Refusal(BUDGET_SPENT, sentence))));
    return decisions.stream()
        .map(decision -> {
          Refusal refusal = refused.get(decision);
          return refusal == null ? decision : refusedBy(refusal, decision);
        })
        .toList();
  }

  private static Refusal implausible(String sentence) {
    return new Refusal(FLEET_IMPLAUSIBLE, sentence);
  }

  private static Decision refusedBy(Refusal refusal, Decision decision) {
    return decision.action() == Action.PAUSE
        ? new Decision(decision.assessment(), Action.NONE, Optional.of(refusal))
        : decision;
  }

  /**
   * Whether a workload that is about to be paused may still be, its root being as it is now: the
   * last look before the write.
   */
  public static Optional<Refusal> lastWord(
      Assessment assessment,
      OwnerObject root,
      Optional<NamespaceFacts> namespace,
      PrunePolicy policy,
      Instant at) {
    Workload now = assessment.workload().withRoot(root);
    Candidate candidate = new Candidate(assessment.of(now), namespace, policy, at, List.of());
    return refusalOf(candidate).or(() -> policy.notice().flatMap(given -> given.refuse(candidate)));
  }

  private static Decision decide(Candidate candidate) {
    if (!(candidate.assessment().verdict() instanceof Verdict.Idle)) {
      return new Decision(candidate.assessment(), Action.NONE, Optional.empty());
    }
    Optional<Refusal> refusal = refusalOf(candidate);
    if (refusal.isEmpty()) {
      return new Decision(candidate.assessment(), Action.PAUSE, Optional.empty());
    }
    Action action = refusal.get().reason() == ACKNOWLEDGED ? Action.KEEP : Action.NONE;
    return new Decision(candidate.assessment(), action, refusal);
  }

  private static Optional<Refusal> refusalOf(Candidate candidate) {
    return CHAIN.stream().flatMap(check -> check.refuse(candidate).stream()).findFirst();
  }

  /**
   * Why a workload may not be paused, though a person asks for it: what cannot be paused cannot be
   * paused by hand either, and another person's wish is not passed over.
   */
  public static Optional<Refusal> byHand(Workload workload, Instant at) {
    Optional<Refusal> cannot = noScalableOwner(workload);
    if (cannot.isPresent()) {
      return cannot;
    }
    return atZero(workload)
        .or(() -> unreadableKeep(workload))
        .or(() ->
            Keep.standing(workload, at)
                .flatMap(keep ->
                    refused(
                        ACKNOWLEDGED,
                        "it is kept until "
                            + keep.until()
                            + (keep.by().isEmpty() ? "" : " by " + keep.by())
                            + "; end the keep first (fallow keep --clear)")));
  }

  private static Optional<Refusal> unreadableKeep(Workload workload) {
    return workload
        .wishes()
        .flatMap(wish ->
            Keep.unreadable(wish.annotations()).stream()
                .flatMap(key ->
                    refused(
                        ACKNOWLEDGED,
                        "the "
                            + key
                            + " on "
                            + wish.on()
                            + " cannot be read, so it binds; write it as 2026-12-24T18:00:00Z, or"
                            + " end the keep (fallow keep --clear)")
                        .stream()))
        .findFirst();
  }

  private static Optional<Refusal> noScalableOwner(Candidate candidate) {
    return noScalableOwner(candidate.workload());
  }

  /** Why there is nothing that could be switched off, if that is so. */
  public static Optional<Refusal> noScalableOwner(Workload workload) {
    Optional<String> broken = workload.brokenBy();
    if (broken.isPresent()) {
      return refused(NO_SCALABLE_OWNER, broken.get());
    }
    Optional<PausableKind> kind = PausableKind.of(workload);
    if (kind.isEmpty()) {
      return refused(
          NO_SCALABLE_OWNER, "a " + workload.root().qualifiedKind() + " cannot be paused");
    }
    Optional<OwnerObject> loser =
        workload.chain().stream().filter(OwnerObject::losesVolumes).findFirst();
    if (loser.isPresent()) {
      return refused(
          NO_SCALABLE_OWNER,
          "a pause would delete volumes for good: "
              + loser.get().id()
              + " has a persistentVolumeClaimRetentionPolicy that says Delete; Retain lets it be"
              + " paused");
    }
    return workload
        .rootObject()
        .filter(root -> kind.get().suspends())
        .flatMap(OwnerObject::queue)
        .flatMap(queue -> refused(NO_SCALABLE_OWNER, queue + " decides when it runs"));
  }

  private static Optional<Refusal> pausedAlready(Candidate candidate) {
    Optional<OwnerObject> scaler = candidate.ownScalers().filter(PausableKind::isOff).findFirst();
    if (scaler.isPresent()) {
      return refused(PAUSED_ALREADY, scaler.get().id() + " holds it at zero already");
    }
    return atZero(candidate.workload());
  }

  private static Optional<Refusal> atZero(Workload workload) {
    PausableKind kind = PausableKind.of(workload).orElseThrow();
    return workload
        .rootObject()
        .filter(kind::paused)
        .flatMap(root -> refused(PAUSED_ALREADY, workload.root() + " is at zero already"));
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
    PausableKind kind = PausableKind.of(candidate.workload()).orElseThrow();
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
    return KeepMark.binding(candidate).flatMap(sentence -> refused(ACKNOWLEDGED, sentence));
  }

  private static Optional<Refusal> contested(Candidate candidate) {
    return switches(candidate).flatMap(object -> contested(object).stream()).findFirst();
  }

  private static Optional<Refusal> contested(OwnerObject object) {
    return undone(object)
        .filter(Undone::contested)
        .flatMap(undone ->
            refused(
                CONTESTED,
                FieldManager.title(undone.by())
                    + " has undone "
                    + undone.count()
                    + " pauses; to let one hold, "
                    + FieldManager.cure(
                        undone.by(), object.id(), PausableKind.switchOf(object.id()))));
  }

  /** A person's change wins, for a window at least; so does our own resume, which one asked for. */
  private static Optional<Refusal> resumedLately(Candidate candidate) {
    Instant since = candidate.at().minus(candidate.assessment().rule().window());
    Optional<String> byPerson =
        switches(candidate)
            .flatMap(object -> undone(object).stream())
            .filter(undone -> undone.mayBeAPersons() && undone.at().isAfter(since))
            .findFirst()
            .map(undone -> undone.by() + " brought it back at " + undone.at());
    Optional<String> byUs =
        candidate
            .workload()
            .rootObject()
            .flatMap(OwnerObject::switched)
            .filter(touch -> touch.manager().equals(FieldManager.OURS))
            .filter(touch -> touch.at().isAfter(since) && !touch.at().isAfter(candidate.at()))
            .map(touch -> "it was resumed at " + touch.at());
    return byPerson
        .or(() -> byUs)
        .flatMap(sentence ->
            refused(RESUMED_LATELY, sentence + " and is left alone for a window at least"));
  }

  /** What it may be switched off by: the root, and what scales it. */
  private static Stream<OwnerObject> switches(Candidate candidate) {
    return Stream.concat(candidate.workload().rootObject().stream(), candidate.ownScalers());
  }

  /** What its pauses have come to, as it stands there. */
  private static Optional<Undone> undone(OwnerObject object) {
    return Undone.parse(object.annotations().getOrDefault(Annotations.UNDONE, ""));
  }

  private static Optional<Refusal> refused(RefusalReason reason, String sentence) {
    return Optional.of(new Refusal(reason, sentence));
  }
}
