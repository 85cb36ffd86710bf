package dev.fallow.adapters.kubernetes;

import dev.fallow.adapters.kubernetes.AccessCheck.Question;
import dev.fallow.core.fleet.StateBeside;
import dev.fallow.core.prune.PausableKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which of the rights that pausing takes an account does not have. Asked beforehand, because a dry
 * run never meets them; only of kinds that the cluster has.
 */
public final class ActingRights {

  private final KindCatalog catalog;
  private final AccessCheck check;
  private final String namespace;
  private final Set<PausableKind> enabled;

  /**
   * @param namespace the one to act in; without it, all
   */
  public ActingRights(
      KubernetesConnection connection, Optional<String> namespace, Set<PausableKind> enabled) {
    this.catalog = new KindCatalog(connection.api());
    this.check = new AccessCheck(connection);
    this.namespace = namespace.orElse("");
    this.enabled = enabled;
  }

  /**
   * A sentence for each, with what it takes away.
   *
   * @throws dev.fallow.core.Unavailable when the server does not answer
   */
  public List<String> missing() {
    try {
      Map<Question, String> losses = losses();
      List<String> missing = new ArrayList<>();
      for (AccessCheck.Answer answer : check.ask(List.copyOf(losses.keySet()))) {
        if (!answer.allowed()) {
          missing.add(
              "this account may not "
                  + answer.question()
                  + ", so "
                  + losses.get(answer.question()));
        }
      }
      withoutStates().ifPresent(missing::add);
      return missing;
    } catch (ApiRefusal refusal) {
      throw refusal.unavailable();
    }
  }

  private Map<Question, String> losses() {
    Map<Question, String> losses = new LinkedHashMap<>();
    for (PausableKind pausable : enabled) {
      for (String qualified : pausable.kinds()) {
        kind(qualified)
            .ifPresent(kind ->
                losses.put(may("patch", kind), "no " + kind.kind() + " is paused or resumed"));
      }
    }
    losses.put(
        new Question("create", "", "events", namespace),
        "a pause is not told by an Event on the workload");
    losses.put(
        new Question("list", "autoscaling", "horizontalpodautoscalers", namespace),
        "the record of a pause does not name the workload's autoscalers");
    losses.put(
        new Question("list", "policy", "poddisruptionbudgets", namespace),
        "a pause does not tell of PodDisruptionBudgets");
    kind("ScaledObject.keda.sh")
        .ifPresent(kind -> losses.put(may("patch", kind), "what KEDA scales is not paused"));
    if (enabled.contains(PausableKind.INFERENCE_SERVICE)) {
      states().ifPresent(kind -> losses.put(may("create", kind), "no InferenceService is paused"));
    }
    return losses;
  }

  private Optional<String> withoutStates() {
    boolean needed =
        enabled.contains(PausableKind.INFERENCE_SERVICE)
            && kind("InferenceService.serving.kserve.io").isPresent();
    return needed && states().isEmpty()
        ? Optional.of(
            "the kind WorkloadState is not installed, so no InferenceService is paused; kubectl"
                + " apply -f deploy/base/workloadstates.yaml")
        : Optional.empty();
  }

  private Optional<ResourceKind> states() {
    return kind(StateBeside.KIND + "." + StateBeside.GROUP);
  }

  private Optional<ResourceKind> kind(String qualified) {
    int dot = qualified.indexOf('.');
    String group = qualified.substring(dot + 1);
    return catalog.find(group.isEmpty() ? "v1" : group + "/v1", qualified.substring(0, dot));
  }

  private Question may(String verb, ResourceKind kind) {
    return new Question(verb, kind.group(), kind.plural(), namespace);
  }
}
