package dev.fallow.core.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.autoscale.HpaSuggestion.Outcome;
import dev.fallow.core.autoscale.HpaSuggestion.Subject;
import dev.fallow.core.fleet.ObjectId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HpaSuggestionTest {

  private static final Duration DAY = Duration.ofHours(24);
  private static final ObjectId WEB = new ObjectId("apps", "Deployment", "ml", "web", "u");
  private static final String WAITING = "vllm:num_requests_waiting";

  private static Subject web(int replicas) {
    return subject(WEB, replicas, true, Optional.empty(), List.of());
  }

  private static Subject subject(
      ObjectId id,
      int replicas,
      boolean scalable,
      Optional<ObjectId> controller,
      List<String> autoscalers) {
    return new Subject(
        id,
        "apps/v1",
        replicas,
        scalable,
        controller,
        autoscalers,
        Optional.of(Duration.ofMinutes(3)));
  }

  private static UseHistory use(List<List<Double>> moments) {
    return new UseHistory("gpu_utilization", false, DAY, 48, moments);
  }

  private static UseHistory waiting(List<List<Double>> moments) {
    return new UseHistory(WAITING, true, DAY, 48, moments);
  }

  private static List<List<Double>> always(int moments, Double... pods) {
    return Collections.nCopies(moments, List.of(pods));
  }

  private static HpaSuggestion proposed(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Proposed.class);
    return ((Outcome.Proposed) outcome).hpa();
  }

  private static String refused(Outcome outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Refused.class);
    return ((Outcome.Refused) outcome).why();
  }

  @Test
  void theTargetIsReachedWithRoomLeft() {
    List<List<Double>> day = new ArrayList<>(always(40, 20.0, 30.0));
    day.addAll(always(8, 75.0, 65.0));
    HpaSuggestion hpa = proposed(HpaSuggestion.of(web(2), use(day), List.of()));
    assertThat(hpa.metric()).isEqualTo("gpu_utilization");
    // 75 in the busiest twentieth; 50 in all at quiet moments, 140 at the busiest.
    assertThat(hpa.target()).isEqualTo(60);
    assertThat(hpa.minReplicas()).isEqualTo(1);
    assertThat(hpa.maxReplicas()).isEqualTo(5);
    assertThat(String.join("\n", hpa.reasons()))
        .contains("48 of 48 moments")
        .contains("target 60")
        .contains("75");
  }

  @Test
  void requestsThatWaitArePreferredAndGpusSayHowManyAreNeeded() {
    HpaSuggestion hpa =
        proposed(
            HpaSuggestion.of(
                web(4),
                use(always(48, 70.0, 70.0, 70.0, 70.0)),
                List.of(waiting(always(48, 8.0, 8.0, 8.0, 8.0)))));
    assertThat(hpa.metric()).isEqualTo(WAITING);
    assertThat(hpa.target()).isEqualTo(6);
    // 280 at 56 each are 5, but it runs 4.
    assertThat(hpa.minReplicas()).isEqualTo(4);
    assertThat(hpa.maxReplicas()).isEqualTo(8);
  }

  @Test
  void aQueueThatIsAlwaysEmptyDoesNotTakeWorkingPodsAway() {
    HpaSuggestion hpa =
        proposed(
            HpaSuggestion.of(
                web(4),
                use(always(48, 60.0, 60.0, 60.0, 60.0)),
                List.of(waiting(always(48, 0.0, 0.0, 0.0, 0.0)))));
    assertThat(hpa.metric()).isEqualTo(WAITING);
    assertThat(hpa.target()).isEqualTo(5);
    assertThat(hpa.minReplicas()).isEqualTo(4);
  }

  @Test
  void aQueueThatIsHardlyKnownIsNotChosen() {
    HpaSuggestion hpa =
        proposed(HpaSuggestion.of(web(1), use(always(48, 50.0)), List.of(waiting(always(2, 9.0)))));
    assertThat(hpa.metric()).isEqualTo("gpu_utilization");
  }

  @Test
  void aQueueIsEnoughWhereGpusAreNotMeasured() {
    HpaSuggestion hpa =
        proposed(HpaSuggestion.of(web(2), use(List.of()), List.of(waiting(always(48, 10.0, 6.0)))));
    assertThat(hpa.metric()).isEqualTo(WAITING);
    assertThat(hpa.target()).isEqualTo(8);
    assertThat(hpa.minReplicas()).isEqualTo(2);
    assertThat(hpa.maxReplicas()).isEqualTo(3);
  }

  @Test
  void gpusAtTheirLimitDoNotTellTheirLoadSoThereIsMoreRoom() {
    HpaSuggestion hpa =
        proposed(HpaSuggestion.of(web(3), use(always(48, 100.0, 100.0, 100.0)), List.of()));
    assertThat(hpa.target()).isEqualTo(70);
    assertThat(hpa.minReplicas()).isEqualTo(3);
    assertThat(hpa.maxReplicas()).isEqualTo(8);
    assertThat(String.join("\n", hpa.reasons())).contains("at their limit");
  }

  @Test
  void oneReplicaMayBecomeTwo() {
    HpaSuggestion hpa = proposed(HpaSuggestion.of(web(1), use(always(48, 10.0)), List.of()));
    assertThat(hpa.target()).isEqualTo(8);
    assertThat(hpa.minReplicas()).isEqualTo(1);
    assertThat(hpa.maxReplicas()).isGreaterThanOrEqualTo(2);
  }

  @Test
  void rareWorkCountsByItsPeak() {
    List<List<Double>> day = new ArrayList<>(always(47, 0.0));
    day.add(List.of(90.0));
    HpaSuggestion hpa = proposed(HpaSuggestion.of(web(1), use(day), List.of()));
    assertThat(hpa.target()).isEqualTo(72);
  }

  @Test
  void whatDidNothingHasNoTarget() {
    assertThat(
            refused(
                HpaSuggestion.of(
                    web(2), use(always(48, 0.0, 0.0)), List.of(waiting(always(48, 0.0, 0.0))))))
        .contains("did nothing in the last 24 h")
        .contains("put load on it")
        .contains("fallow why deployment/web");
  }

  @Test
  void withoutHistoryTheCureIsNamed() {
    assertThat(refused(HpaSuggestion.of(web(2), use(List.of()), List.of())))
        .contains("none of the pods")
        .contains("--prometheus-url")
        .contains("fallow doctor");
    assertThat(refused(HpaSuggestion.of(web(2), use(always(5, 50.0)), List.of())))
        .contains("5 of 48 moments only")
        .contains("--history");
  }

  @Test
  void momentsWithoutANumberAreNoZeros() {
    List<List<Double>> day = new ArrayList<>(Collections.nCopies(40, List.of()));
    day.addAll(always(8, 50.0));
    HpaSuggestion hpa = proposed(HpaSuggestion.of(web(1), use(day), List.of()));
    assertThat(hpa.target()).isEqualTo(40);
    assertThat(hpa.reasons().getFirst()).contains("8 of 48 moments");
  }

  @Test
  void whatIsScaledAlreadyIsExplainedInstead() {
    Subject scaled = subject(WEB, 2, true, Optional.empty(), List.of("web-hpa"));
    assertThat(refused(HpaSuggestion.of(scaled, use(always(48, 50.0)), List.of())))
        .contains("by web-hpa")
        .contains("fallow hpa explain web-hpa -n ml");
  }

  @Test
  void whatCannotBeScaledIsToldWhatCan() {
    Subject job =
        subject(
            new ObjectId("batch", "Job", "ml", "train", "u"),
            1,
            false,
            Optional.empty(),
            List.of());
    assertThat(refused(HpaSuggestion.of(job, use(always(48, 50.0)), List.of())))
        .contains("Job/ml/train cannot be scaled");
    Subject served =
        subject(
            new ObjectId("serving.kserve.io", "InferenceService", "ml", "llm", "u"),
            1,
            false,
            Optional.empty(),
            List.of());
    assertThat(refused(HpaSuggestion.of(served, use(always(48, 50.0)), List.of())))
        .contains("KServe makes its autoscaler");
  }

  @Test
  void whatAnotherKeepsAsItIsIsLeftToThat() {
    Subject inner =
        subject(
            new ObjectId("apps", "ReplicaSet", "ml", "web-abc", "r"),
            2,
            true,
            Optional.of(WEB),
            List.of());
    assertThat(refused(HpaSuggestion.of(inner, use(always(48, 50.0)), List.of())))
        .contains("by Deployment/ml/web")
        .contains("name that one");
  }

  @Test
  void podsThatLoadLongAreNotGivenUpSoon() {
    Subject slow =
        new Subject(
            WEB,
            "apps/v1",
            2,
            true,
            Optional.empty(),
            List.of(),
            Optional.of(Duration.ofMinutes(10)));
    HpaSuggestion hpa = proposed(HpaSuggestion.of(slow, use(always(48, 50.0, 50.0)), List.of()));
    assertThat(hpa.settles()).hasMinutes(40);
    assertThat(hpa.growsEvery()).hasMinutes(11);

    Subject unknown =
        new Subject(WEB, "apps/v1", 2, true, Optional.empty(), List.of(), Optional.empty());
    assertThat(
            proposed(HpaSuggestion.of(unknown, use(always(48, 50.0, 50.0)), List.of())).settles())
        .hasMinutes(5);
  }

  /** Whatever was measured, what is proposed passes the lint and Kubernetes' own bounds. */
  @Test
  void whatIsProposedCanWork() {
    Random random = new Random(11);
    for (int i = 0; i < 5_000; i++) {
      int pods = 1 + random.nextInt(20);
      double scale = Math.pow(10, random.nextInt(5) - 1);
      List<List<Double>> use = new ArrayList<>();
      List<List<Double>> queue = new ArrayList<>();
      for (int at = 0; at < 48; at++) {
        use.add(values(random, pods, Math.min(scale, 100)));
        queue.add(values(random, pods, scale));
      }
      Subject subject =
          new Subject(
              WEB,
              "apps/v1",
              random.nextInt(25),
              true,
              Optional.empty(),
              List.of(),
              Optional.of(Duration.ofSeconds(random.nextInt(100_000))));
      List<UseHistory> queues = random.nextBoolean() ? List.of(waiting(queue)) : List.of();
      if (!(HpaSuggestion.of(subject, use(use), queues) instanceof Outcome.Proposed one)) {
        continue;
      }
      HpaSuggestion hpa = one.hpa();
      assertThat(hpa.target()).isPositive();
      assertThat(hpa.minReplicas()).isPositive().isLessThan(hpa.maxReplicas());
      assertThat(hpa.minReplicas()).isLessThanOrEqualTo(Math.max(1, subject.replicas()));
      assertThat(hpa.maxReplicas()).isGreaterThan(subject.replicas());
      assertThat(hpa.settles().toSeconds()).isBetween(300L, 3600L);
      assertThat(hpa.growsEvery().toSeconds()).isBetween(60L, 1800L);
      assertThat(HpaLint.of(read(hpa)))
          .allSatisfy(finding -> assertThat(finding).contains("says whether a kernel ran"));
    }
  }

  private static List<Double> values(Random random, int pods, double scale) {
    return random.doubles(pods, 0, scale).boxed().toList();
  }

  private static Hpa read(HpaSuggestion hpa) {
    return new Hpa(
        "ml",
        "web",
        WEB,
        hpa.minReplicas(),
        hpa.maxReplicas(),
        0,
        false,
        new HpaFormula.Tolerance(0.1, 0.1),
        List.of(
            new Hpa.Metric(
                Hpa.Source.PODS,
                hpa.metric(),
                Selector.ANY,
                WEB,
                "AverageValue",
                OptionalLong.of(hpa.target() * 1000L))));
  }
}
