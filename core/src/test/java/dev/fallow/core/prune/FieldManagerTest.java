package dev.fallow.core.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.ObjectId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldManagerTest {

  private static final ObjectId DEPLOYMENT = new ObjectId("apps", "Deployment", "ml", "web", "");

  /** What a person did is respected at once, so a person's tool must not pass for a controller. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "kubectl",
        "kubectl-scale",
        "kubectl-edit",
        "kubectl-client-side-apply",
        "kubectl-patch",
        "k9s",
        "headlamp",
        "Lens",
        "node-fetch",
        "Mozilla",
        "helm",
        "terraform",
        "python-requests",
        ""
      })
  void peopleAndTheirToolsAreNoControllers(String manager) {
    assertThat(FieldManager.isController(manager)).isFalse();
    assertThat(FieldManager.title(manager)).isEqualTo(manager);
  }

  @ParameterizedTest
  @CsvSource({
    "argocd-controller, Argo CD",
    "argocd-application-controller, Argo CD",
    "kustomize-controller, Flux",
    "helm-controller, Flux",
    "keda, KEDA",
    "kube-controller-manager, Kubernetes' own controllers",
    "rollouts-controller, Argo Rollouts",
    "kserve-controller-manager, KServe",
    "notebook-controller, an operator",
    "some-operator, an operator",
  })
  void controllersAreKnownByTheirNamesAndHaveACure(String manager, String title) {
    assertThat(FieldManager.isController(manager)).isTrue();
    assertThat(FieldManager.title(manager)).isEqualTo(title + " (" + manager + ")");
    assertThat(FieldManager.cure(manager, DEPLOYMENT, "/spec/replicas"))
        .isNotBlank()
        .doesNotContain("ask " + manager);
  }

  @Test
  void theCureIsOfTheVeryFieldOfTheVeryObject() {
    ObjectId job = new ObjectId("batch", "Job", "ml", "train", "");
    ObjectId scaler = new ObjectId("keda.sh", "ScaledObject", "ml", "web", "");

    assertThat(FieldManager.cure("argocd-controller", job, PausableKind.switchOf(job)))
        .contains("group: batch, kind: Job, jsonPointers: [/spec/suspend]");
    assertThat(FieldManager.cure("argocd-controller", scaler, PausableKind.switchOf(scaler)))
        .contains("/metadata/annotations/autoscaling.keda.sh~1paused-replicas")
        .contains("drop metadata.annotations.autoscaling.keda.sh/paused-replicas");
    assertThat(FieldManager.cure("helm-controller", DEPLOYMENT, PausableKind.switchOf(DEPLOYMENT)))
        .contains("HelmRelease", "kind: Deployment, name: web", "/spec/replicas");
  }
}
