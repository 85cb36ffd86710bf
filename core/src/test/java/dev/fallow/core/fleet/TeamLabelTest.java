package dev.fallow.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TeamLabelTest {

  private static final TeamLabel LABEL = new TeamLabel("team");

  private static ObjectTree object(
      Map<String, String> labels, Map<String, String> annotations, List<Object> owners) {
    return new ObjectTree(
        Map.of(
            "apiVersion",
            "apps/v1",
            "kind",
            "Deployment",
            "metadata",
            Map.of(
                "name",
                "trainer",
                "namespace",
                "ml",
                "uid",
                "u1",
                "labels",
                labels,
                "annotations",
                annotations,
                "ownerReferences",
                owners)));
  }

  private static String teamOf(ObjectTree object, TeamLabel label) {
    return Teams.NONE.of(OwnerObject.of(label.written(object)));
  }

  @Test
  void theLabelNamesTheTeamThenTheAnnotationOfThatName() {
    Map<String, String> label = Map.of("team", "vision");
    Map<String, String> annotation = Map.of("team", "language");
    assertThat(teamOf(object(label, annotation, List.of()), LABEL)).isEqualTo("vision");
    assertThat(teamOf(object(Map.of(), annotation, List.of()), LABEL)).isEqualTo("language");
    assertThat(teamOf(object(label, annotation, List.of()), TeamLabel.NONE)).isEmpty();
    assertThat(teamOf(object(label, Map.of(), List.of()), new TeamLabel("squad"))).isEmpty();
  }

  @Test
  void ourOwnAnnotationGoesBeforeTheLabel() {
    assertThat(
            teamOf(
                object(Map.of("team", "vision"), Map.of("fallow.dev/team", "ops"), List.of()),
                LABEL))
        .isEqualTo("ops");
  }

  @Test
  void whatSomethingElseControlsHasNoSay() {
    Map<String, Object> owner =
        Map.of("apiVersion", "x/v1", "kind", "X", "name", "x", "uid", "u0", "controller", true);
    ObjectTree controlled = object(Map.of("team", "vision"), Map.of(), List.of(owner));
    assertThat(LABEL.written(controlled)).isSameAs(controlled);
  }

  @Test
  void aNamespaceSpeaksForWhatDoesNotItselfAndANovelIsCut() {
    Teams teams =
        Teams.of(List.of(new NamespaceFacts("ml", Map.of("fallow.dev/team", "x".repeat(5000)))));
    OwnerObject silent = OwnerObject.of(object(Map.of(), Map.of(), List.of()));
    assertThat(teams.of(silent)).isEqualTo("x".repeat(100));
    assertThat(
            teams.of(
                new Workload(
                    new ObjectId("", "Pod", "ml", "p", "u2"),
                    List.of(),
                    List.of(pod(Map.of("fallow.dev/team", "own"))),
                    Optional.empty())))
        .isEqualTo("own");
  }

  private static GpuPod pod(Map<String, String> annotations) {
    return new GpuPod(
        new ObjectId("", "Pod", "ml", "p", "u2"),
        List.of(),
        Optional.of("n1"),
        Optional.empty(),
        GpuPod.Phase.RUNNING,
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        new Accelerators(Map.of("nvidia.com/gpu", 1)),
        Map.of(),
        annotations);
  }
}
