package dev.fallow.app.autoscale;

import static dev.fallow.app.autoscale.SmallCluster.NOON;
import static dev.fallow.app.autoscale.SmallCluster.UTIL;
import static dev.fallow.app.autoscale.SmallCluster.card;
import static dev.fallow.app.autoscale.SmallCluster.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.MetricBook.Answer;
import dev.fallow.core.autoscale.MetricBook.OfObject;
import dev.fallow.core.autoscale.MetricBook.OfSeries;
import dev.fallow.core.autoscale.MetricBook.Resource;
import dev.fallow.core.autoscale.MetricBook.Which;
import dev.fallow.core.autoscale.OldAverage;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.autoscale.Selector;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.UsageSeries;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LiveMetricBookTest {

  private static final String QUEUE = "gateway_queue";
  private static final Resource DEPLOYMENTS = new Resource("apps", "deployments");

  /** A source that counts how often it is asked. */
  private static final class Counted implements SampleSource {
    final Map<String, Double> values = new ConcurrentHashMap<>();
    final Map<String, AtomicInteger> reads = new ConcurrentHashMap<>();
    final Set<String> tellers = ConcurrentHashMap.newKeySet();
    volatile boolean away;
    volatile Optional<String> failing = Optional.empty();
    volatile Optional<String> hanging = Optional.empty();
    volatile Runnable whileNaming = () -> {};

    @Override
    public Readings.Seen read(Feed feed, Instant at) {
      reads.computeIfAbsent(feed.name(), name -> new AtomicInteger()).incrementAndGet();
      if (away || failing.equals(Optional.of(feed.name()))) {
        throw new Unavailable("prometheus", "Prometheus is away", true);
      }
      if (hanging.equals(Optional.of(feed.name()))) {
        hang();
      }
      List<UsageSeries> series = new ArrayList<>();
      if (feed.name().equals(QUEUE)) {
        tellers.forEach(pod -> series.add(told(QUEUE, pod, at.minusSeconds(5), 4)));
      }
      Double value = values.get(feed.name());
      if (value != null) {
        series.add(card(feed.name(), at.minusSeconds(5), value));
      }
      return new Readings.Seen(at, series);
    }

    @Override
    public Set<String> names(Instant at) {
      whileNaming.run();
      return values.keySet();
    }

    static void hang() {
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException givenUp) {
        throw new Unavailable("prometheus", "called off", true);
      }
    }

    int readsOf(Feed feed) {
      return reads.getOrDefault(feed.name(), new AtomicInteger()).get();
    }
  }

  private final Counted source = new Counted();
  private volatile Instant now = NOON;
  private volatile boolean apiServerAway;
  private volatile Duration lookTakes = Duration.ZERO;
  private volatile List<String> notes = List.of();
  private final LiveMetricBook book =
      new LiveMetricBook(
          () -> {
            if (apiServerAway) {
              throw new Unavailable("kubernetes", "the API server is away", true);
            }
            now = now.plus(lookTakes);
            LiveMetricBook.Picture whole = SmallCluster.picture();
            return new LiveMetricBook.Picture(noting(whole.cluster(), notes), whole.around());
          },
          source,
          Optional.empty(),
          () -> now,
          LiveMetricBook.Pace.USUAL);

  @AfterEach
  void close() {
    book.close();
  }

  private Answer<OfObject> ask(String metric) {
    return book.ofObjects(
        Resource.PODS, new Which.Labelled("ml", Selector.ANY), metric, Selector.ANY, now);
  }

  private double value(Answer<OfObject> answer) {
    return ((Answer.Found<OfObject>) answer).values().getFirst().value();
  }

  private void pass(int seconds) {
    now = now.plusSeconds(seconds);
    book.refresh();
  }

  @Test
  void aNameIsAnsweredTheFirstTimeItIsAskedFor() {
    source.values.put(UTIL.name(), 42.0);

    assertThat(value(ask("gpu_utilization"))).isEqualTo(42.0);
    assertThat(value(ask(UTIL.name()))).isEqualTo(42.0);
    assertThat(
            value(
                book.ofObjects(
                    DEPLOYMENTS, new Which.Named("ml", "web"), "web_gpu_avg", Selector.ANY, now)))
        .isEqualTo(42.0);
  }

  @Test
  void howManyAskDoesNotMatterToTheSource() {
    source.values.put(UTIL.name(), 42.0);
    for (int i = 0; i < 500; i++) {
      ask("gpu_utilization");
      ask("gpu_utilization_avg_2m");
      ask(UTIL.name());
    }

    assertThat(source.readsOf(UTIL)).isEqualTo(1);
    pass(10);
    assertThat(source.readsOf(UTIL)).isEqualTo(2);
  }

  /** The moment between a reading and the book of it is short. */
  @RepeatedTest(50)
  void manyWhoAskFirstAtOnceCauseOneReading() throws Exception {
    source.values.put(UTIL.name(), 42.0);
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> askers = new ArrayList<>();
    AtomicInteger answered = new AtomicInteger();
    for (int i = 0; i < 50; i++) {
      askers.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  go.await();
                } catch (InterruptedException stopped) {
                  return;
                }
                if (value(ask("gpu_utilization")) == 42.0) {
                  answered.incrementAndGet();
                }
              }));
    }
    go.countDown();
    for (Thread asker : askers) {
      asker.join();
    }

    assertThat(answered.get()).isEqualTo(50);
    assertThat(source.readsOf(UTIL)).isEqualTo(1);
  }

  @Test
  void anUnknownNameIsLookedForOnceIn15Seconds() {
    Feed unknown = Feed.of("vllm:num_requests_waiting").orElseThrow();
    for (int i = 0; i < 10; i++) {
      assertThat(ask(unknown.name())).isInstanceOf(Answer.NotFound.class);
    }
    assertThat(source.readsOf(unknown)).isEqualTo(1);

    pass(10);
    assertThat(source.readsOf(unknown)).isEqualTo(1);
    pass(10);
    assertThat(source.readsOf(unknown)).isEqualTo(2);
  }

  @Test
  void aNameThatCanBeNoMetricsIsNeverAskedFor() {
    assertThat(ask("up{job=\"x\"} or vector(1)")).isInstanceOf(Answer.NotFound.class);
    assertThat(source.reads).isEmpty();
  }

  @Test
  void whatNobodyAsksForIsNoLongerRead() {
    source.values.put(UTIL.name(), 42.0);
    ask(UTIL.name());
    pass(299);
    int until = source.readsOf(UTIL);

    pass(2);
    pass(10);

    assertThat(until).isEqualTo(2);
    assertThat(source.readsOf(UTIL)).isEqualTo(until);
  }

  @Test
  void theLastNumbersHoldForAMinuteAndThenThereAreNone() {
    source.values.put(UTIL.name(), 42.0);
    ask("gpu_utilization");

    source.away = true;
    for (int seconds = 10; seconds <= 60; seconds += 10) {
      pass(10);
      assertThat(value(ask("gpu_utilization"))).isEqualTo(42.0);
    }
    pass(1);
    assertThat(ask("gpu_utilization"))
        .isInstanceOfSatisfying(
            Answer.Away.class, away -> assertThat(away.why()).contains("Prometheus is away"));

    source.away = false;
    source.values.put(UTIL.name(), 7.0);
    pass(15);
    assertThat(value(ask("gpu_utilization"))).isEqualTo(7.0);
  }

  @Test
  void oneFeedThatHangsDoesNotTakeTheOthersAway() {
    source.values.put(UTIL.name(), 42.0);
    source.values.put("slow_family", 1.0);
    source.hanging = Optional.of("slow_family");
    try (LiveMetricBook hasty = hasty()) {
      Which all = new Which.Labelled("ml", Selector.ANY);
      assertThat(hasty.ofObjects(Resource.PODS, all, "slow_family", Selector.ANY, now))
          .isNotInstanceOf(Answer.Found.class);
      for (int round = 0; round < 3; round++) {
        now = now.plusSeconds(5);
        hasty.refresh();
        assertThat(value(hasty.ofObjects(Resource.PODS, all, UTIL.name(), Selector.ANY, now)))
            .isEqualTo(42.0);
      }
      assertThat(source.reads.get("slow_family")).as("it rests").hasValue(1);
    }
  }

  private static ClusterState noting(ClusterState whole, List<String> notes) {
    return new ClusterState(
        whole.pods(), whole.nodes(), whole.owners(), whole.namespaces(), whole.exporters(), notes);
  }

  /** Otherwise a workload of a kind that may not be read would seem not to be there. */
  @Test
  void whatCannotBeReadIsNamedWhereItMayBeWhyNothingIsFound() {
    String note = "rollouts.argoproj.io cannot be read (forbidden); grant get, list and watch";
    notes = List.of("nodes cannot be read (forbidden)", note);
    source.values.put(UTIL.name(), 42.0);
    Resource rollouts = new Resource("argoproj.io", "rollouts");

    assertThat(
            book.ofObjects(
                rollouts, new Which.Named("ml", "web"), "gpu_utilization", Selector.ANY, now))
        .isInstanceOfSatisfying(
            Answer.NotFound.class,
            none -> assertThat(none.why()).contains("rollouts/web").endsWith("; " + note));
    assertThat(
            book.ofObjects(
                DEPLOYMENTS, new Which.Named("ml", "no"), "gpu_utilization", Selector.ANY, now))
        .isInstanceOfSatisfying(
            Answer.NotFound.class, none -> assertThat(none.why()).doesNotContain("cannot be read"));
  }

  private LiveMetricBook hasty() {
    return new LiveMetricBook(
        SmallCluster::picture,
        source,
        Optional.empty(),
        () -> now,
        new LiveMetricBook.Pace(
            Duration.ofSeconds(10),
            Duration.ofMinutes(1),
            Duration.ofSeconds(30),
            Duration.ofMillis(100)));
  }

  /** Only discovery wants the names; a source may take long over them. */
  @Test
  @Timeout(30)
  void namesThatAreNotToldTakeNoNumbersAway() {
    source.values.put(UTIL.name(), 42.0);
    source.whileNaming = Counted::hang;
    try (LiveMetricBook hasty = hasty()) {
      Which all = new Which.Labelled("ml", Selector.ANY);
      assertThat(value(hasty.ofObjects(Resource.PODS, all, UTIL.name(), Selector.ANY, now)))
          .isEqualTo(42.0);
      now = now.plusSeconds(61);
      hasty.refresh();
      assertThat(value(hasty.ofObjects(Resource.PODS, all, UTIL.name(), Selector.ANY, now)))
          .isEqualTo(42.0);
    }
  }

  @Test
  void numbersAreAsNewAsTheirReadingHoweverLongTheLookBeforeItTook() {
    source.values.put(UTIL.name(), 42.0);
    source.whileNaming = () -> now = now.plusSeconds(61);
    ask("gpu_utilization");
    book.refresh();
    assertThat(value(ask("gpu_utilization"))).isEqualTo(42.0);

    lookTakes = Duration.ofSeconds(61);
    book.refresh();
    assertThat(value(ask("gpu_utilization"))).isEqualTo(42.0);
  }

  /** The autoscaler writes external names small, however they are spelled in its manifest. */
  @Test
  void externalNamesAreFoundInLowerCase() {
    source.values.put(UTIL.name(), 42.0);
    source.values.put(OldAverage.FEED.name(), 30.0);
    for (String name :
        List.of(
            "DCGM_FI_DEV_GPU_UTIL",
            "dcgm_fi_dev_gpu_util",
            "dcgm_fi_dev_gpu_util_max",
            "avg_gpu_utilization",
            "avg_gpu_utilization_avg_1m",
            "avg_GPU_utilization")) {
      assertThat(book.external("ml", name, Selector.ANY, now))
          .as(name)
          .isInstanceOf(Answer.Found.class);
      assertThat(book.owns(name)).as(name).isTrue();
    }
  }

  @Test
  void theOldAverageIsOursAlsoWhileItHasNoNumber() {
    for (String name : List.of("avg_GPU_utilization", "avg_gpu_utilization_avg_2m")) {
      assertThat(book.owns(name)).as(name).isTrue();
    }
  }

  @Test
  void aLoopThatHasStoppedIsAnOutageToo() {
    source.values.put(UTIL.name(), 42.0);
    ask("gpu_utilization");

    now = now.plusSeconds(61);

    assertThat(ask("gpu_utilization")).isInstanceOf(Answer.Away.class);
    assertThat(book.numbers()).isEmpty();
  }

  @Test
  void withoutTheApiServerTheLastNumbersHoldForAMinuteToo() {
    source.values.put(UTIL.name(), 42.0);
    ask("gpu_utilization");

    apiServerAway = true;
    pass(60);
    assertThat(value(ask("gpu_utilization"))).isEqualTo(42.0);
    pass(1);
    assertThat(ask("gpu_utilization")).isInstanceOf(Answer.Away.class);
  }

  @Test
  void aSourceThatWasNeverThereIsAwayAndNotAZero() {
    source.away = true;

    assertThat(ask("gpu_utilization")).isInstanceOf(Answer.Away.class);
  }

  @Test
  void oneFeedThatFailsCostsTheOthersNothing() {
    source.values.put(UTIL.name(), 42.0);
    source.failing = Optional.of("gpu_gfx_activity");

    assertThat(value(ask("gpu_utilization"))).isEqualTo(42.0);
  }

  /** It would be another signal, served as if it were the same. */
  @Test
  void aFeedThatFailsIsNotReplacedByAnother() {
    source.values.put("DCGM_FI_PROF_GR_ENGINE_ACTIVE", 0.25);
    source.failing = Optional.of(UTIL.name());

    assertThat(ask("gpu_utilization")).isInstanceOf(Answer.Away.class);
    assertThat(value(ask("gpu_engine_active_percent"))).isEqualTo(25.0);
  }

  /** Prometheus forgets within minutes who has told something before. */
  @Test
  void aPodThatHasFallenSilentTakesTheSumAwayForAsLongAsItIsThere() {
    source.tellers.addAll(Set.of("web-1", "gone", "other"));
    assertThat(queues()).isInstanceOf(Answer.Found.class);

    source.tellers.remove("gone");
    pass(10);
    assertThat(queues()).as("who is gone has nothing to add").isInstanceOf(Answer.Found.class);

    source.tellers.remove("web-1");
    for (int minutes = 1; minutes < 10; minutes++) {
      pass(60);
      assertThat(queues()).as("after %s min", minutes).isInstanceOf(Answer.NotFound.class);
    }
    source.tellers.add("web-1");
    pass(10);
    assertThat(queues()).isInstanceOf(Answer.Found.class);
  }

  private Answer<OfSeries> queues() {
    return book.external("ml", QUEUE, Selector.ANY, now);
  }

  @Test
  void discoveryListsWhatIsPublishedBeforeAnybodyAsks() {
    source.values.put(UTIL.name(), 42.0);
    book.refresh();

    assertThat(book.listed()).extracting("metric").contains("gpu_utilization", UTIL.name());
    assertThat(book.externals()).contains("gpu_utilization");
  }

  @Test
  void samplesThatCannotBeTrueAreCountedOnce() {
    source.values.put(UTIL.name(), 4294967295.0);
    ask("gpu_utilization");
    pass(10);
    pass(10);

    // One sample in each reading, and none of them is in two.
    assertThat(book.dropped().values()).containsExactly(2L);
  }

  @Test
  void noMoreFeedsAreReadThanCanBeAffordedWhateverIsAskedFor() {
    for (int i = 0; i < 3 * Demand.MOST; i++) {
      ask("made_up_" + i);
    }

    assertThat(source.reads.size()).isLessThanOrEqualTo(Demand.MOST);
  }

  @Test
  void theExporterShowsWhatWasReadAndNothingWhenTheSourceIsGone() {
    Exporter exporter = new Exporter(book);
    source.values.put(UTIL.name(), 42.0);
    book.refresh();

    assertThat(exporter.metrics().expose("").text())
        .contains("gpu_inuse_utilization_percent{name=\"\",scope=\"cluster\"} 42.0")
        .contains("web_gpu_avg{deployment=\"web\",namespace=\"ml\"} 42.0");

    source.away = true;
    now = now.plus(Duration.ofSeconds(61));
    book.refresh();
    assertThat(exporter.metrics().expose("").text()).doesNotContain("gpu_");
  }

  @Test
  void whatWasDroppedIsToldWhereAutoscalersAreServedAndNothingIsReadForIt() {
    Exporter drops = Exporter.ofDrops(book);
    source.values.put(UTIL.name(), 4294967295.0);
    book.refresh();
    assertThat(source.reads).isEmpty();

    ask(UTIL.name());
    pass(10);
    assertThat(drops.metrics().expose("").text())
        .contains("fallow_samples_dropped_total{reason=\"BLANK\"}")
        .doesNotContain("reason=\"BLANK\"} 0.0")
        .doesNotContain("gpu_inuse");
  }
}
