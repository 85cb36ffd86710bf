package dev.fallow.app.autoscale;

import static dev.fallow.app.autoscale.SmallCluster.NOON;
import static dev.fallow.app.autoscale.SmallCluster.UTIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.app.Inspection;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.web.FleetBoard;
import dev.fallow.app.web.LiveAutoscalers;
import dev.fallow.app.web.OpenDoor;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.Usage;
import dev.fallow.server.fleet.WorkloadItem;
import dev.fallow.server.health.Health;
import dev.fallow.server.stream.FleetStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LiveAutoscalersTest {

  private final FleetBoard board =
      new FleetBoard(Settings.defaults(), Optional.empty(), new Health(), Map.of());
  private final List<Feed> read = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger listed = new AtomicInteger();
  private final AtomicInteger opened = new AtomicInteger();

  private final SampleSource samples =
      new SampleSource() {
        @Override
        public Readings.Seen read(Feed feed, Instant at) {
          read.add(feed);
          return new Readings.Seen(
              at,
              feed.equals(UTIL)
                  ? List.of(SmallCluster.card(UTIL.name(), at.minusSeconds(5), 90))
                  : List.of());
        }

        @Override
        public Set<String> names(Instant at) {
          return Set.of();
        }
      };

  @BeforeEach
  void look() {
    Inspection inspection =
        Inspection.of(
            SmallCluster.picture().cluster(),
            (at, window) -> new Usage.Complete(List.of()),
            NOON,
            Settings.defaults());
    board.show(
        inspection,
        decision -> Optional.empty(),
        new FleetStream(new OpenDoor("visitor")),
        List.of());
  }

  private static Hpa hpa(String name, String kind, String target) {
    return hpa(
        name,
        kind,
        target,
        Map.of(
            "type",
            "Pods",
            "pods",
            Map.of(
                "metric", Map.of("name", "gpu_utilization"),
                "target", Map.of("type", "AverageValue", "averageValue", "60"))));
  }

  private static Hpa hpa(String name, String kind, String target, Map<String, Object> metric) {
    return Hpa.of(
        new ObjectTree(
            Map.of(
                "metadata",
                Map.of("name", name, "namespace", "ml"),
                "spec",
                Map.of(
                    "scaleTargetRef",
                    Map.of("apiVersion", "apps/v1", "kind", kind, "name", target),
                    "maxReplicas",
                    5,
                    "metrics",
                    List.of(metric)))));
  }

  private LiveAutoscalers over(Hpa... hpas) {
    return new LiveAutoscalers(
        board,
        namespace -> {
          listed.incrementAndGet();
          return namespace.equals("ml") ? List.of(hpas) : List.of();
        },
        (namespace, mine) ->
            new Surroundings(
                List.of(new Surroundings.ServiceFacts(namespace, "front", Map.of("app", "web"))),
                List.of()),
        () -> {
          opened.incrementAndGet();
          return new HpaReckoner(samples, Optional.empty(), InstantSource.fixed(NOON));
        });
  }

  private WorkloadItem web() {
    return board.picture().find("ml", "Deployment", "web").orElseThrow();
  }

  @Test
  void onlyWhatScalesTheWorkloadIsReckoned() {
    LiveAutoscalers autoscalers =
        over(
            hpa("web", "Deployment", "web"),
            hpa("other", "Deployment", "other"),
            hpa("namesake", "StatefulSet", "web"));

    assertThat(autoscalers.of(web()))
        .singleElement()
        .satisfies(fields ->
            assertThat(fields).containsEntry("hpa", "ml/web").containsEntry("desiredReplicas", 2));
  }

  @Test
  void aMetricOfAServiceIsOfThePodsBehindIt() {
    Map<String, Object> ofService =
        Map.of(
            "type",
            "Object",
            "object",
            Map.of(
                "metric", Map.of("name", "gpu_utilization"),
                "describedObject", Map.of("apiVersion", "v1", "kind", "Service", "name", "front"),
                "target", Map.of("type", "Value", "value", "60")));

    assertThat(over(hpa("web", "Deployment", "web", ofService)).of(web()))
        .singleElement()
        .satisfies(fields ->
            assertThat(fields).containsEntry("holds", false).containsEntry("desiredReplicas", 2));
  }

  @Test
  void noSourceIsOpenedWhereNothingScales() {
    assertThat(over(hpa("other", "Deployment", "other")).of(web())).isEmpty();
    assertThat(opened).hasValue(0);
    assertThat(read).isEmpty();
  }

  @Test
  void aPausedWorkloadHasNoneAndNobodyIsAsked() {
    WorkloadItem web = web();
    WorkloadItem paused =
        new WorkloadItem(
            web.workload(),
            web.namespace(),
            web.kind(),
            web.name(),
            "PAUSED",
            "",
            web.words(),
            0,
            0,
            0,
            web.use(),
            Optional.empty(),
            web.fields());

    assertThat(over(hpa("web", "Deployment", "web")).of(paused)).isEmpty();
    assertThat(listed).hasValue(0);
  }

  @Test
  void twoAutoscalersReadEachFeedOnce() {
    over(hpa("web", "Deployment", "web"), hpa("web-2", "Deployment", "web")).of(web());

    assertThat(read).contains(UTIL).doesNotHaveDuplicates();
  }

  @Test
  void manyWhoAskAtOnceCostOneReading() throws Exception {
    LiveAutoscalers autoscalers = over(hpa("web", "Deployment", "web"));
    CountDownLatch begin = new CountDownLatch(1);
    List<Future<List<Map<String, Object>>>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 50; i++) {
        answers.add(
            threads.submit(() -> {
              begin.await();
              return autoscalers.of(web());
            }));
      }
      begin.countDown();
      for (Future<List<Map<String, Object>>> answer : answers) {
        assertThat(answer.get()).hasSize(1);
      }
    }

    assertThat(listed).hasValue(1);
    assertThat(opened).hasValue(1);
  }

  @Test
  void whatCannotBeReadSaysWhyAndIsNotAskedForAgainAtOnce() {
    LiveAutoscalers autoscalers =
        new LiveAutoscalers(
            board,
            namespace -> {
              listed.incrementAndGet();
              throw new Unavailable("kubernetes", "cannot list horizontalpodautoscalers", false);
            },
            (namespace, mine) -> Surroundings.NONE,
            () -> new HpaReckoner(samples, Optional.empty(), InstantSource.fixed(NOON)));

    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> autoscalers.of(web()))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("cannot list horizontalpodautoscalers");
    }
    assertThat(listed).hasValue(1);
  }
}
