package dev.fallow.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.app.Inspection;
import dev.fallow.app.demo.SimWorkshop;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.Journal;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepRules;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.prune.PruneMemory;
import dev.fallow.server.Rejected;
import dev.fallow.server.access.Caller;
import dev.fallow.server.fleet.WorkloadItem;
import dev.fallow.server.health.Health;
import dev.fallow.server.stream.FleetStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What people ask for on the page, on the simulated cluster. */
class ClusterHandsTest {

  private static final String WORKLOAD = "Deployment/nlp/summarizer";
  private static final Caller ALICE = new Caller("alice", List.of(), "token", true);

  private final SimWorkshop workshop = new SimWorkshop(7);
  private final FleetBoard board =
      new FleetBoard(Settings.ofFile(Map.of(), "a test"), Optional.empty(), new Health(), Map.of());
  private final ClusterHands hands =
      new ClusterHands(
          board,
          workshop.actuator(),
          Journal.NONE,
          new KeepRules(Duration.ofDays(7)),
          workshop::now,
          id -> id,
          () -> {});

  private WorkloadItem look() {
    show(workshop.pruner().observe().inspection());
    return shown();
  }

  private void show(Inspection inspection) {
    board.show(
        inspection,
        decision -> Optional.empty(),
        new FleetStream(new OpenDoor("somebody")),
        List.of());
  }

  private Keep keep(WorkloadItem item, int hours) {
    workshop.pass(Duration.ofSeconds(1));
    return hands.keep(item, KeepTerm.atLeast(Duration.ofHours(hours)), "", ALICE);
  }

  private Optional<Instant> written() {
    return workshop.annotation(WORKLOAD, Annotations.KEEP_UNTIL).map(Instant::parse);
  }

  @Test
  void aShorterKeepLeavesALongerOneAsItIs() {
    WorkloadItem item = look();
    Keep day = keep(item, 24);
    assertThat(keep(item, 4)).as("before the next look").isEqualTo(day);
    workshop.pass(Duration.ofMinutes(3));
    assertThat(keep(look(), 8)).as("after it").isEqualTo(day);
    assertThat(written()).contains(day.until());
    assertThat(keep(look(), 48).until()).isAfter(day.until());
  }

  @Test
  void anEndThatIsNamedMayBeSoonerSoThatUndoRestoresIt() {
    WorkloadItem item = look();
    Keep four = keep(item, 4);
    keep(item, 24);
    hands.keep(item, KeepTerm.until(four.until()), "", ALICE);
    assertThat(written()).contains(four.until());
    assertThat(keep(item, 1).until()).as("what was named stands").isEqualTo(four.until());
  }

  @Test
  void aKeepThatWasEndedIsNoLongerOne() {
    WorkloadItem item = look();
    keep(item, 24);
    workshop.pass(Duration.ofSeconds(1));
    hands.endKeep(item, ALICE);
    assertThat(written()).isEmpty();
    Instant four = workshop.now().plus(Duration.ofHours(4)).plusSeconds(1);
    assertThat(keep(item, 4).until()).isEqualTo(new Keep(four, "", "").until());
  }

  @Test
  void aChangeShowsAtOnceAndUntilALookHasSeenIt() {
    WorkloadItem item = look();
    keep(item, 4);
    assertThat(shown().state()).isEqualTo("KEPT");
    assertThat(shown().fields()).containsEntry("action", "KEEP").containsKey("keep");
    workshop.pass(Duration.ofSeconds(1));
    hands.endKeep(item, ALICE);
    assertThat(shown().state()).isEqualTo("IDLE");
    assertThat(shown().fields()).doesNotContainKey("keep");
    workshop.pass(Duration.ofSeconds(1));
    hands.pause(item, "", ALICE);
    assertThat(shown().state()).isEqualTo("PAUSED");
    workshop.pass(Duration.ofSeconds(1));
    assertThat(look().fields()).containsKey("pause");
  }

  @Test
  void aLookThatBeganBeforeAChangeDoesNotHideIt() {
    WorkloadItem item = look();
    workshop.pass(Duration.ofSeconds(1));
    Inspection begun = workshop.pruner().observe().inspection();
    keep(item, 4);
    show(begun);
    assertThat(shown().state()).isEqualTo("KEPT");
  }

  private WorkloadItem shown() {
    return board.picture().find("nlp", "Deployment", "summarizer").orElseThrow();
  }

  @Test
  void aKeepThatNobodyHasLookedAtYetIsNotShortened() {
    WorkloadItem item = look();
    Instant days = workshop.now().plus(Duration.ofDays(5));
    workshop.actuator().note(id(), new Keep(days, "kubectl", "").marks());
    assertThat(keep(item, 4).until()).isEqualTo(new Keep(days, "", "").until());
  }

  @Test
  void endingAKeepThatIsNotThereIsNoDeed() {
    List<Deed> deeds = new ArrayList<>();
    WorkloadItem item = look();
    noting(deeds).endKeep(item, ALICE);
    assertThat(deeds).isEmpty();
    keep(item, 4);
    noting(deeds).endKeep(item, ALICE);
    assertThat(deeds).hasSize(1);
  }

  @Test
  void whatHoldsNoGpuIsNotPausedByHandEither() {
    show(workshop.pruner().observe().inspection());
    List<WorkloadItem> ended =
        board.picture().items().stream()
            .filter(item -> "NO_LIVE_POD".equals(item.fields().get("reason")))
            .toList();
    assertThat(ended).isNotEmpty();
    for (WorkloadItem item : ended) {
      assertThatThrownBy(() -> hands.pause(item, "", ALICE)).isInstanceOf(Rejected.class);
    }
  }

  private ObjectId id() {
    return board.id("nlp", "Deployment", "summarizer").orElseThrow();
  }

  private ClusterHands noting(List<Deed> deeds) {
    Journal journal =
        new Journal() {
          @Override
          public void record(Deed deed) {
            deeds.add(deed);
          }

          @Override
          public void begin(Deed deed) {}

          @Override
          public void settle(Set<String> standing, Instant at) {}

          @Override
          public void recover(OwnerObject paused, Instant at) {}

          @Override
          public PruneMemory pausesSince(Instant since) {
            return PruneMemory.NOTHING;
          }
        };
    return new ClusterHands(
        board,
        workshop.actuator(),
        journal,
        new KeepRules(Duration.ofDays(7)),
        workshop::now,
        id -> id,
        () -> {});
  }
}
