package dev.fallow.core.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who takes the marks of a doubt off, when there is no doubt any more. */
class DoubtMarksTest {

  private static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");

  private static List<String> takenOff(double idleShare, Optional<Predicate<String>> namespaces) {
    ClusterState cluster =
        new ClusterState(
            List.of(),
            List.of(),
            Stream.of("team-a", "team-b").map(DoubtMarksTest::marked).toList(),
            List.of(),
            List.of(),
            List.of());
    PrunePolicy policy =
        new PrunePolicy(
            PrunePolicy.DEFAULT.kinds(),
            namespaces,
            Optional.empty(),
            any -> false,
            new Limits(
                OptionalInt.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.of(idleShare)),
            PrunePolicy.DEFAULT.longestKeep(),
            PrunePolicy.DEFAULT.prices(),
            Optional.empty());
    return DoubtMarks.of(List.of(), cluster, policy, AT).over().stream()
        .map(ObjectId::namespace)
        .toList();
  }

  private static OwnerObject marked(String namespace) {
    return new OwnerObject(
        new ObjectId("apps", "Deployment", namespace, "it", "uid-" + namespace),
        List.of(),
        Map.of("fallow.dev/doubted-since", "2026-11-02T03:00:00Z"),
        List.of(),
        OptionalLong.of(1),
        false,
        false,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        false,
        OptionalLong.empty());
  }

  @Test
  void whenTheFleetIsBelievedAgainTheMarksComeOff() {
    assertThat(takenOff(0.5, Optional.empty())).containsExactly("team-a", "team-b");
  }

  /** A single run that asks for no plausibility would end the doubt for all who do. */
  @Test
  void whoDoesNotDoubtTakesNoMarksOff() {
    assertThat(takenOff(1, Optional.empty())).isEmpty();
  }

  @Test
  void otherInstancesNamespacesAreTheirs() {
    assertThat(takenOff(0.5, Optional.of("team-b"::equals))).containsExactly("team-b");
  }
}
