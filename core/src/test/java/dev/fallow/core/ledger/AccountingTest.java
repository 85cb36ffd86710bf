package dev.fallow.core.ledger;

import static dev.fallow.core.idle.DeviceFinding.State.BUSY;
import static dev.fallow.core.idle.DeviceFinding.State.IDLE;
import static dev.fallow.core.idle.DeviceFinding.State.NOT_COVERED;
import static dev.fallow.core.idle.DeviceFinding.State.SHARED_BUSY;
import static dev.fallow.core.ledger.LookBuilder.NOON;
import static dev.fallow.core.ledger.LookBuilder.device;
import static dev.fallow.core.ledger.LookBuilder.gpuPod;
import static dev.fallow.core.ledger.LookBuilder.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.CardParts;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.PodFinding;
import dev.fallow.core.idle.Reason;
import dev.fallow.core.prune.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class AccountingTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final long CARD_MINUTE = CardParts.WHOLE * 60_000L;
  private static final Instant LONG_AGO = NOON.minus(Duration.ofDays(1));
  private static final Map<String, Integer> ONE = Map.of("nvidia.com/gpu", 1);
  private static final Map<String, Integer> TWO = Map.of("nvidia.com/gpu", 2);
  private static final Map<String, Integer> SHARE = Map.of("nvidia.com/gpu.shared", 1);

  private final Accounting accounting = new Accounting(Duration.ofMinutes(10));

  @Test
  void oneBusyGpuBesideAnIdleOneCountsAsOneOfEach() {
    Look look =
        minute().busy("w", pod("p", LONG_AGO, TWO, device("a", BUSY), device("b", IDLE))).build();

    assertThat(byState(look))
        .containsOnly(Map.entry(GpuState.BUSY, CARD_MINUTE), Map.entry(GpuState.IDLE, CARD_MINUTE));
  }

  @Test
  void whatSomebodyKeepsCountsAsKept() {
    Look look = minute().kept("w", pod("p", LONG_AGO, ONE, device("a", IDLE))).build();

    assertThat(byState(look)).containsOnly(Map.entry(GpuState.KEPT, CARD_MINUTE));
  }

  @Test
  void whatIsNotCoveredOrUsedByWhoKnowsWhomIsUnknown() {
    Look look =
        minute()
            .unknown(
                "w",
                Reason.COVERAGE_TOO_LOW,
                pod("p", LONG_AGO, TWO, device("a", NOT_COVERED), device("b", SHARED_BUSY)))
            .build();

    assertThat(byState(look)).containsOnly(Map.entry(GpuState.UNKNOWN, 2 * CARD_MINUTE));
  }

  @Test
  void anIncompleteAnswerProvesNoIdleness() {
    PodFinding still = pod("p", LONG_AGO, ONE, device("a", IDLE));

    assertThat(byState(minute().unknown("w", Reason.PARTIAL_ANSWER, still).build()))
        .containsOnly(Map.entry(GpuState.UNKNOWN, CARD_MINUTE));
    assertThat(byState(minute().unknown("w", Reason.ROLLING_OUT, still).build()))
        .containsOnly(Map.entry(GpuState.IDLE, CARD_MINUTE));
  }

  @Test
  void devicesAskedForAndNotShownAreUnknownAndOfTheModelBesideThem() {
    Look look =
        minute()
            .busy("w", pod("p", LONG_AGO, Map.of("nvidia.com/gpu", 8), device("a", BUSY)))
            .build();

    assertThat(accounting.count(look))
        .containsExactly(
            time(NOON, GpuState.BUSY, CARD_MINUTE), time(NOON, GpuState.UNKNOWN, 7 * CARD_MINUTE));
  }

  @Test
  void aPodThatShowsMoreThanItAskedForHoldsNoMore() {
    Look look =
        minute()
            .busy(
                "w",
                pod("p", LONG_AGO, ONE, device("a", IDLE), device("b", BUSY), device("c", IDLE)))
            .build();

    assertThat(byState(look)).containsOnly(Map.entry(GpuState.BUSY, CARD_MINUTE));
  }

  @Test
  void aSpanIsSplitAtFullHours() {
    Look look =
        new LookBuilder(NOON.minusSeconds(20), MINUTE)
            .busy("w", pod("p", LONG_AGO, ONE, device("a", BUSY)))
            .build();

    assertThat(accounting.count(look))
        .containsExactly(
            time(NOON.minus(Duration.ofHours(1)), GpuState.BUSY, CARD_MINUTE / 3),
            time(NOON, GpuState.BUSY, 2 * CARD_MINUTE / 3));
  }

  @Test
  void timeBeforeAPodWasBoundDoesNotCount() {
    Look look =
        minute()
            .busy("w", pod("p", NOON.plusSeconds(45), ONE, device("a", BUSY)))
            .unknown(
                "v",
                Reason.ROLLING_OUT,
                new PodFinding(
                    gpuPod("q", Optional.empty(), Optional.empty(), GpuPod.Phase.PENDING, ONE),
                    List.of(),
                    Optional.empty()))
            .build();

    assertThat(byState(look)).containsOnly(Map.entry(GpuState.BUSY, CARD_MINUTE / 4));
  }

  @Test
  void aPodThatDoesNotTellWhenItWasBoundCountsFromItsCreation() {
    PodFinding old =
        new PodFinding(
            gpuPod("q", Optional.of("n1"), Optional.empty(), GpuPod.Phase.RUNNING, ONE),
            List.of(),
            Optional.empty());

    assertThat(byState(minute().unknown("v", Reason.SERIES_MISSING, old).build()))
        .containsOnly(Map.entry(GpuState.UNKNOWN, CARD_MINUTE));
  }

  @Test
  void finishedPodsHoldNothing() {
    PodFinding finished =
        new PodFinding(
            gpuPod("q", Optional.of("n1"), Optional.of(LONG_AGO), GpuPod.Phase.SUCCEEDED, ONE),
            List.of(device("a", BUSY)),
            Optional.empty());

    assertThat(accounting.count(minute().busy("v", finished).build())).isEmpty();
  }

  @Test
  void afterALongGapNobodyKnowsWhatTheDevicesDidAndNothingIsSaved() {
    Paused paused = LookBuilder.off("v", "", 4, LONG_AGO);
    LookBuilder within = new LookBuilder(NOON, Duration.ofMinutes(10));
    LookBuilder beyond = new LookBuilder(NOON, Duration.ofMinutes(10).plusMillis(1));
    for (LookBuilder builder : List.of(within, beyond)) {
      builder.busy("w", pod("p", LONG_AGO, ONE, device("a", BUSY))).paused(paused);
    }

    assertThat(byState(within.build()))
        .containsOnly(
            Map.entry(GpuState.BUSY, 10 * CARD_MINUTE),
            Map.entry(GpuState.SAVED, 40 * CARD_MINUTE));
    assertThat(byState(beyond.build()))
        .containsOnly(Map.entry(GpuState.UNKNOWN, 10 * CARD_MINUTE + CardParts.WHOLE));
  }

  @Test
  void aPausedWorkloadSavesFromTheMomentItWasPaused() {
    Paused paused = LookBuilder.off("v", "T4", 4, NOON.plusSeconds(30));

    assertThat(accounting.count(minute().paused(paused).build()))
        .containsExactly(
            new GpuTime(NOON, "Deployment/ml/v", "ml", "T4", GpuState.SAVED, 2 * CARD_MINUTE));
  }

  @Test
  void whatAPauseFreesIsWhatWasHeldOfSlicesAndSharesToo() {
    Look look =
        minute()
            .idle("cards", pod("p", LONG_AGO, TWO, device("a", IDLE), device("b", IDLE)))
            .idle(
                "slices",
                pod(
                    "q",
                    LONG_AGO,
                    Map.of("nvidia.com/mig-3g.20gb", 1, "nvidia.com/mig-1g.5gb", 1),
                    device("c", "3g.20gb", IDLE),
                    device("c", "1g.5gb", IDLE)))
            .idle("share", pod("r", LONG_AGO, SHARE, device("d", "", 4, IDLE)))
            .idle("rest", threeMore(device("d", "", 4, IDLE)))
            .build();
    Map<String, Long> held = new TreeMap<>();
    accounting.count(look).forEach(time -> held.merge(time.workload(), time.amount(), Long::sum));

    for (Decision decision : look.decisions()) {
      assertThat(HeldParts.of(decision, look.decisions(), Set.of()) * MINUTE.toMillis())
          .isEqualTo(held.get(decision.assessment().workload().root().toString()));
    }
  }

  private static PodFinding[] threeMore(DeviceFinding card) {
    return Stream.of("s", "t", "u")
        .map(name -> pod(name, LONG_AGO, SHARE, card))
        .toArray(PodFinding[]::new);
  }

  @Test
  void whatIsToldToStopAndHoldsItsGpusStillSavesNothing() {
    Paused paused = LookBuilder.off("w", "T4", 1, LONG_AGO);
    LookBuilder look = minute().busy("w", pod("p", LONG_AGO, ONE, device("a", BUSY)));

    assertThat(byState(look.paused(paused).build()))
        .containsOnly(Map.entry(GpuState.BUSY, CARD_MINUTE));
  }

  @Test
  void timeIsOfATeamAndOfItsKindOfCapacityHeldOrSaved() {
    Paused paused =
        new Paused(LookBuilder.workload("v"), "vision", "T4", true, CardParts.WHOLE, LONG_AGO);
    Look look =
        minute()
            .team("ml", "language")
            .spot("n1")
            .busy("w", pod("p", LONG_AGO, ONE, device("a", BUSY)))
            .paused(paused)
            .build();

    assertThat(accounting.count(look))
        .containsExactly(
            new GpuTime(
                NOON, "Deployment/ml/v", "ml", "vision", "T4", true, GpuState.SAVED, CARD_MINUTE),
            new GpuTime(
                NOON,
                "Deployment/ml/w",
                "ml",
                "language",
                LookBuilder.MODEL,
                true,
                GpuState.BUSY,
                CARD_MINUTE));
  }

  @Test
  void aMigSliceIsItsSeventhsByItsResourceOrElseByWhatIsShown() {
    Map<String, Integer> slices = Map.of("nvidia.com/mig-1g.5gb", 1, "nvidia.com/mig-2g.10gb", 2);
    Look named =
        minute()
            .busy(
                "w",
                pod("p", LONG_AGO, slices, device("a", "2g.10gb", BUSY), device("b", "", BUSY)))
            .build();
    Look single = minute().idle("w", pod("p", LONG_AGO, ONE, device("a", "3g.20gb", IDLE))).build();

    assertThat(total(named)).isEqualTo(5 * CARD_MINUTE / 7);
    assertThat(byState(single)).containsOnly(Map.entry(GpuState.IDLE, 3 * CARD_MINUTE / 7));
  }

  @Test
  void elevenSharersOfACardMakeExactlyOneCard() {
    LookBuilder look = minute();
    for (int i = 0; i < 11; i++) {
      look.idle("w" + i, pod("p" + i, LONG_AGO, SHARE, device("a", IDLE)));
    }
    List<GpuTime> times = accounting.count(look.build());

    assertThat(times).hasSize(11);
    assertThat(times).extracting(GpuTime::amount).containsOnly(27_490_909L, 27_490_910L);
    assertThat(total(look.build())).isEqualTo(CARD_MINUTE);
  }

  @Test
  void aSharerThatComesLaterTakesItsShareFromThenOn() {
    Look look =
        minute()
            .sharing("n1")
            .busy("w", pod("p", LONG_AGO, ONE, device("a", BUSY)))
            .idle("v", pod("q", NOON.plusSeconds(30), ONE, device("a", IDLE)))
            .build();

    assertThat(byState(look))
        .containsOnly(
            Map.entry(GpuState.BUSY, 3 * CARD_MINUTE / 4),
            Map.entry(GpuState.IDLE, CARD_MINUTE / 4));
  }

  @Test
  void sharersThatShowNoCardAreTakenToShareOneANode() {
    Look look =
        minute()
            .unknown("w", Reason.SERIES_MISSING, pod("p", LONG_AGO, SHARE))
            .unknown(
                "v", Reason.SERIES_MISSING, pod("q", LONG_AGO, Map.of("nvidia.com/gpu.shared", 3)))
            .build();

    assertThat(byState(look)).containsOnly(Map.entry(GpuState.UNKNOWN, CARD_MINUTE));
  }

  @Test
  void aSillyRequestDoesNotOverflow() {
    Look look =
        new LookBuilder(NOON, Duration.ofDays(30))
            .unknown(
                "w",
                Reason.SERIES_MISSING,
                pod("p", LONG_AGO, Map.of("nvidia.com/gpu", Integer.MAX_VALUE)))
            .build();

    assertThat(total(look)).isEqualTo(1024L * 30 * 24 * GpuTime.CARD_HOUR);
  }

  private static LookBuilder minute() {
    return new LookBuilder(NOON, MINUTE);
  }

  private static GpuTime time(Instant hour, GpuState state, long amount) {
    return new GpuTime(hour, "Deployment/ml/w", "ml", LookBuilder.MODEL, state, amount);
  }

  private Map<GpuState, Long> byState(Look look) {
    Map<GpuState, Long> sums = new EnumMap<>(GpuState.class);
    accounting.count(look).forEach(time -> sums.merge(time.state(), time.amount(), Long::sum));
    return sums;
  }

  private long total(Look look) {
    return accounting.count(look).stream().mapToLong(GpuTime::amount).sum();
  }
}
