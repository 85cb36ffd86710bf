package dev.fallow.core.acknowledge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.Accelerators;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class KeepTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final KeepRules RULES = new KeepRules(Duration.ofDays(7));

  @Test
  void aKeepBindsUntilTheVeryInstantItExpires() {
    Keep keep = new Keep(NOON, "alice", "");
    assertThat(keep.bindsAt(NOON.minusNanos(1))).isTrue();
    assertThat(keep.bindsAt(NOON)).isFalse();
  }

  @Test
  void whatNobodySaidIsTakenOff() {
    assertThat(new Keep(NOON.plusNanos(5), "alice", "").marks())
        .containsEntry(Annotations.KEEP_UNTIL, Optional.of("2026-11-02T12:00:00Z"))
        .containsEntry(Annotations.KEPT_BY, Optional.of("alice"))
        .containsEntry(Annotations.KEEP_REASON, Optional.empty());
  }

  @Test
  void clearingEndsGpuPrunersAcknowledgementToo() {
    assertThat(Keep.cleared())
        .containsKeys(Annotations.KEEP_UNTIL, Annotations.ACK_UNTIL, Annotations.ACK_BY)
        .allSatisfy((key, value) -> assertThat(value).isEmpty());
  }

  private static OwnerObject object(String kind, String name, String until) {
    return new OwnerObject(
        new ObjectId("apps", kind, "ml", name, "u-" + name),
        List.of(),
        until.isEmpty() ? Map.of() : Map.of(Annotations.KEEP_UNTIL, until),
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

  private static Optional<ObjectId> below(String ofPod, String ofSet, String ofRoot) {
    OwnerObject set = object("ReplicaSet", "trainer-1", ofSet);
    OwnerObject root = object("Deployment", "trainer", ofRoot);
    GpuPod pod =
        new GpuPod(
            new ObjectId("", "Pod", "ml", "trainer-1-x", "u-x"),
            List.of(),
            Optional.empty(),
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
            ofPod.isEmpty() ? Map.of() : Map.of(Annotations.ACK_UNTIL, ofPod));
    return Keep.belowTheRoot(
        new Workload(root.id(), List.of(set, root), List.of(pod), Optional.empty()), NOON);
  }

  @Test
  void aWishBelowTheRootIsFoundThatTheRootsEndDoesNotEnd() {
    String tomorrow = "2026-11-03T12:00:00Z";
    assertThat(below("", tomorrow, "").map(ObjectId::name)).contains("trainer-1");
    assertThat(below("", "for ever", "").map(ObjectId::name)).contains("trainer-1");
    assertThat(below(tomorrow, "", "").map(ObjectId::name)).contains("trainer-1-x");
    assertThat(below("", "2026-11-02T12:00:00Z", tomorrow)).isEmpty();
  }

  @Test
  void aLengthNeverShortensAndAnEndMay() {
    Keep longer = new Keep(NOON.plusSeconds(90_000), "bob", "");
    Keep wished = new Keep(NOON.plusSeconds(14_400), "alice", "");
    KeepTerm fourHours = KeepTerm.atLeast(Duration.ofHours(4));
    assertThat(fourHours.over(Optional.of(longer), wished)).isEqualTo(longer);
    assertThat(fourHours.over(Optional.empty(), wished)).isEqualTo(wished);
    assertThat(KeepTerm.until(wished.until()).over(Optional.of(longer), wished)).isEqualTo(wished);
  }

  @Test
  void aWishIsBoundedInLengthAndText() {
    assertThat(RULES.problem(Duration.ofDays(7), "demo on Friday")).isEmpty();
    assertThat(RULES.problem(Duration.ofDays(7).plusSeconds(1), "")).isPresent();
    assertThat(RULES.problem(Duration.ofSeconds(59), "")).isPresent();
    assertThat(RULES.problem(Duration.ofSeconds(-5), "")).isPresent();
    assertThat(RULES.problem(Duration.ofHours(4), "x".repeat(301))).isPresent();
    assertThat(RULES.problem(Duration.ofHours(4), "two\nlines")).isPresent();
  }
}
