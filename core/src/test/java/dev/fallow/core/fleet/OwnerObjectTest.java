package dev.fallow.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnerObjectTest {

  private static final Map<String, Object> OF_DEPLOYMENT =
      Map.of(
          "apiVersion", "apps/v1",
          "kind", "Deployment",
          "name", "web",
          "uid", "d1",
          "controller", true);

  private static OwnerObject replicaSet(Map<String, Object> owner, List<String> copied) {
    return replicaSet(owner, "f:deployment.kubernetes.io/revision", copied);
  }

  private static OwnerObject replicaSet(
      Map<String, Object> owner, String revision, List<String> copied) {
    Map<String, Object> fields = new java.util.HashMap<>();
    fields.put(revision, Map.of());
    copied.forEach(key -> fields.put("f:" + key, Map.of()));
    return OwnerObject.of(
        new ObjectTree(
            Map.of(
                "apiVersion",
                "apps/v1",
                "kind",
                "ReplicaSet",
                "metadata",
                Map.of(
                    "name",
                    "web-1",
                    "uid",
                    "r1",
                    "annotations",
                    Map.of(
                        Annotations.KEEP_UNTIL,
                        "2099-01-01T00:00:00Z",
                        Annotations.BEFORE_PAUSE,
                        "{}"),
                    "ownerReferences",
                    List.of(owner),
                    "managedFields",
                    List.of(
                        Map.of(
                            "manager",
                            "kube-controller-manager",
                            "fieldsV1",
                            Map.of("f:metadata", Map.of("f:annotations", fields))))))));
  }

  @Test
  void whatTheDeploymentControllerCopiedIsNotTheReplicaSetsOwn() {
    OwnerObject copy = replicaSet(OF_DEPLOYMENT, List.of(Annotations.KEEP_UNTIL));
    assertThat(copy.annotations()).isEmpty();
    assertThat(copy.marked()).isFalse();
  }

  @Test
  void aKeepThatAPersonWroteOnTheReplicaSetBinds() {
    OwnerObject kept = replicaSet(OF_DEPLOYMENT, List.of());
    assertThat(kept.annotations()).containsOnlyKeys(Annotations.KEEP_UNTIL);
  }

  @Test
  void whatArgoCopiedFromARolloutIsNotTheReplicaSetsOwn() {
    Map<String, Object> rollout = new java.util.HashMap<>(OF_DEPLOYMENT);
    rollout.put("kind", "Rollout");
    rollout.put("apiVersion", "argoproj.io/v1alpha1");
    String revision = "f:rollout.argoproj.io/revision";

    assertThat(replicaSet(rollout, revision, List.of(Annotations.KEEP_UNTIL)).annotations())
        .isEmpty();
    assertThat(replicaSet(rollout, revision, List.of()).annotations())
        .as("what a person wrote there")
        .containsOnlyKeys(Annotations.KEEP_UNTIL);
  }

  @Test
  void aReplicaSetThatIsItsOwnRootBearsItsOwnMarks() {
    Map<String, Object> noController = new java.util.HashMap<>(OF_DEPLOYMENT);
    noController.put("controller", false);
    OwnerObject own = replicaSet(noController, List.of());
    assertThat(own.annotations()).containsKeys(Annotations.KEEP_UNTIL, Annotations.BEFORE_PAUSE);
  }

  @Test
  void ourOwnNoteIsNoChangeOfAWorkload() {
    assertThat(written("2026-11-02T10:00:00Z", "kubectl").changedAt())
        .hasValue(Instant.parse("2026-11-02T10:00:00Z"));
    assertThat(written("2026-11-02T10:00:00Z", Annotations.NOTES_WRITER).changedAt())
        .hasValue(Instant.parse("2026-11-01T00:00:00Z"));
  }

  /** A culler that notes when it looked last changes nothing of what was judged. */
  @Test
  void anAnnotationThatMovesNoGenerationIsNoChangeOfWhatWasJudged() {
    OwnerObject seen = written("2026-11-02T10:00:00Z", "kubectl", 7);
    assertThat(written("2026-11-02T10:05:00Z", "culler", 7).isWrittenSince(seen)).isFalse();
    assertThat(written("2026-11-02T10:05:00Z", "kubectl", 8).isWrittenSince(seen)).isTrue();
    assertThat(written("2026-11-02T10:00:00Z", "kubectl", 8).isWrittenSince(seen))
        .as("our own note moves the generation of some kinds")
        .isFalse();
  }

  @Test
  void whatIsAskedOnAnObjectIsNotSilencedByWhatIsKeptBesideIt() {
    OwnerObject service =
        OwnerObject.of(
            new ObjectTree(
                Map.of(
                    "apiVersion",
                    "serving.kserve.io/v1beta1",
                    "kind",
                    "InferenceService",
                    "metadata",
                    Map.of(
                        "name", "llm", "annotations", Map.of(Annotations.KEEP_UNTIL, "later")))));
    OwnerObject both =
        service.with(
            List.of(Map.of(Annotations.KEEP_UNTIL, "over", Annotations.PAUSED_AT, "then")));
    assertThat(both.wishes())
        .extracting(wish -> wish.get(Annotations.KEEP_UNTIL))
        .containsExactly("later", "over");
    assertThat(both.annotations()).containsEntry(Annotations.PAUSED_AT, "then");
    assertThat(service.wishes()).hasSize(1);
  }

  /** A Deployment made the day before, and written once more. */
  private static OwnerObject written(String at, String by) {
    return written(at, by, 7);
  }

  private static OwnerObject written(String at, String by, int generation) {
    return OwnerObject.of(
        new ObjectTree(
            Map.of(
                "apiVersion",
                "apps/v1",
                "kind",
                "Deployment",
                "metadata",
                Map.of(
                    "name",
                    "web",
                    "generation",
                    generation,
                    "managedFields",
                    List.of(
                        Map.of("manager", "helm", "time", "2026-11-01T00:00:00Z"),
                        Map.of("manager", by, "time", at))),
                "status",
                Map.of("observedGeneration", 6))));
  }
}
