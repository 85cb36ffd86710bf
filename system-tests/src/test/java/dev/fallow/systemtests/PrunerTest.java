package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.EventWriter;
import dev.fallow.adapters.kubernetes.FollowedKinds;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.OneShotClusterReader;
import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.adapters.ledger.SqliteLedger;
import dev.fallow.adapters.prometheus.PrometheusAccess;
import dev.fallow.adapters.prometheus.PrometheusUsageSource;
import dev.fallow.app.prune.Books;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.Journal;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSeries;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Step;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cycle after cycle on a real API server, and others who change the same workloads in between. No
 * controller moves the pods, so a workload that is switched on again is idle at once.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class PrunerTest {

  @TempDir static Path folder;

  private static Rig rig;
  private static RigPrometheus prometheus;
  private static KubernetesConnection reads;
  private static KubernetesConnection changes;
  private static PrometheusUsageSource usage;
  private static Ledger ledger;

  @BeforeAll
  static void start() {
    rig = Rig.builder().start();
    Path account = ShippedAccount.in(rig);
    LiveFleet fleet = new LiveFleet(rig);
    for (String namespace :
        List.of(
            "announced",
            "contested",
            "woken",
            "kept",
            "exempted",
            "renewed",
            "busy-soon",
            "undone",
            "stopped",
            "crashed",
            "wrong-clock",
            "busy-at-second",
            "resumed")) {
      fleet.pod(fleet.deployment(namespace, "trainer", 2), LiveFleet::idle);
    }
    for (String namespace : List.of("shared", "shrunk")) {
      for (String name : List.of("trainer", "tuner", "server")) {
        fleet.pod(fleet.deployment(namespace, name, 1), LiveFleet::idle);
      }
    }
    // An hour's budget counts pauses, also those that were undone.
    fleet.pod(fleet.deployment("contested", "beside", 1), LiveFleet::busy);
    Instant stop = Instant.now().minusSeconds(40 * 60);
    for (int i = 0; i < 3; i++) {
      fleet.pod(fleet.deployment("sudden", "worker-" + i, 1), at -> at.isBefore(stop) ? 80 : 0);
    }
    prometheus = RigPrometheus.builder().backfill(fleet.samples(folder)).start();
    ConnectionOptions options =
        new ConnectionOptions(Optional.of(account), Optional.empty(), "test", Map.of());
    reads = KubernetesConnection.open(options);
    changes = KubernetesConnection.openForChanges(options);
    usage =
        new PrometheusUsageSource(
            PrometheusAccess.of(prometheus.url().toString()),
            PrometheusUsageSource.signalsOfUse(false));
    ledger = SqliteLedger.at(folder.resolve("ledger.db"));
  }

  @AfterAll
  static void stop() {
    for (AutoCloseable one : new AutoCloseable[] {ledger, usage, changes, reads, prometheus, rig}) {
      try {
        if (one != null) {
          one.close();
        }
      } catch (Exception ending) {
        // The next one is closed all the same.
      }
    }
  }

  @Test
  void aPauseIsAnnouncedInOneCycleAndMadeInTheNext() {
    Pruner pruner = pruner("announced");
    assertThat(pruner.cycle().deeds())
        .singleElement()
        .satisfies(deed -> assertThat(deed.verb()).isEqualTo(Deed.Verb.ANNOUNCE));
    assertThat(replicas("announced")).isEqualTo(2);
    assertThat(annotation("announced", "fallow.dev/intent")).contains("\"epoch\":\"1-test\"");
    Deed paused = pruner.cycle().deeds().getFirst();
    assertThat(paused.done()).as(paused.outcome().sentence()).isTrue();
    assertThat(replicas("announced")).isZero();
    assertThat(annotation("announced", "fallow.dev/before-pause")).isEqualTo("{\"replicas\":2}");
    assertThat(annotation("announced", "fallow.dev/intent")).isEmpty();
    assertThat(ledger.actions(ActionQuery.latest(10).namespace("announced")))
        .singleElement()
        .satisfies(action -> {
          assertThat(action.actionId()).isEqualTo(annotation("announced", "fallow.dev/action-id"));
          assertThat(action.outcome()).isEqualTo(Outcome.DONE);
        });
    assertThat(pruner.cycle().deeds()).as("a second cycle changes nothing").isEmpty();
  }

  @Test
  void whatAControllerUndoesTwiceIsContestedAndLeftAlone() {
    Pruner pruner = pruner("contested");
    for (int round = 1; round <= 2; round++) {
      pruner.cycle();
      pruner.cycle();
      assertThat(replicas("contested")).as("round " + round).isZero();
      scale("contested", 2, "argocd-controller");
    }
    Pruner.Report report = pruner.cycle();
    assertThat(report.deeds()).isEmpty();
    Decision decision = pruner.cycle().inspection().decisions().getLast();
    assertThat(decision.reason()).isEqualTo("CONTESTED");
    assertThat(decision.sentence())
        .contains("Argo CD (argocd-controller)")
        .contains("ignoreDifferences");
    assertThat(replicas("contested")).isEqualTo(2);
    assertThat(annotation("contested", "fallow.dev/before-pause")).isEmpty();
    assertThat(ledger.actions(ActionQuery.latest(10).namespace("contested")))
        .extracting(action -> action.outcome())
        .containsExactlyInAnyOrder(Outcome.DONE, Outcome.UNDONE, Outcome.DONE, Outcome.UNDONE);
  }

  @Test
  void aPersonWhoScalesUpIsRight() {
    Pruner pruner = pruner("woken");
    pruner.cycle();
    pruner.cycle();
    scale("woken", 5, "kubectl-scale");
    pruner.cycle();
    Pruner.Report report = pruner.cycle();
    assertThat(report.deeds()).isEmpty();
    assertThat(report.inspection().decisions().getFirst().reason()).isEqualTo("RESUMED_LATELY");
    assertThat(replicas("woken")).isEqualTo(5);
    assertThat(annotation("woken", "fallow.dev/paused-at")).isEmpty();
  }

  @Test
  void aKeepBetweenAnnouncementAndPauseBinds() {
    Pruner pruner = pruner("kept");
    pruner.cycle();
    rig.admin()
        .patch(
            path("kept"),
            "{\"metadata\":{\"annotations\":{\"fallow.dev/keep-until\":\"%s\"}}}"
                .formatted(Instant.now().plusSeconds(3600)))
        .orThrow();
    assertThat(pruner.cycle().deeds()).isEmpty();
    pruner.cycle();
    assertThat(replicas("kept")).isEqualTo(2);
    assertThat(annotation("kept", "fallow.dev/intent")).isEmpty();
  }

  /** While it is on its way: the decision is made, and the write is not yet. */
  @Test
  void anExemptionOfTheNamespaceInTheMomentOfThePauseBinds() {
    Step.Observer exempting =
        (step, kind) -> {
          if (step == Step.AFTER_LIVE_READ) {
            rig.kubectl("annotate", "namespace", "exempted", "fallow.dev/exempt=a demo");
          }
        };
    Pruner pruner = pruner("exempted", usage, books(), Clock.systemUTC(), exempting);
    pruner.cycle();
    assertThat(pruner.cycle().deeds())
        .singleElement()
        .satisfies(deed -> assertThat(deed.outcome().sentence()).contains("exempt", "a demo"));
    assertThat(replicas("exempted")).isEqualTo(2);
  }

  /** What was judged is not what runs any more. */
  @Test
  void aNewImageAfterTheLookCallsThePauseOff() {
    int[] cycles = {0};
    Step.Observer renewing =
        (step, kind) -> {
          if (step == Step.AFTER_REPAIR && ++cycles[0] == 2) {
            rig.admin()
                .patch(
                    path("renewed"),
                    "{\"spec\":{\"template\":{\"metadata\":{\"labels\":{\"version\":\"2\"}}}}}")
                .orThrow();
          }
        };
    Pruner pruner = pruner("renewed", usage, books(), Clock.systemUTC(), renewing);
    pruner.cycle();
    assertThat(pruner.cycle().deeds())
        .singleElement()
        .satisfies(deed -> assertThat(deed.outcome().sentence()).contains("written since"));
    assertThat(replicas("renewed")).isEqualTo(2);
  }

  @Test
  void withoutMetricsNothingIsDoneAndIntentsAreTakenBack() {
    boolean[] away = {false};
    UsageSource failing =
        (at, window) -> away[0] ? new Usage.Missing("away") : usage.read(at, window);
    Pruner pruner = pruner("busy-soon", failing);
    pruner.cycle();
    away[0] = true;
    for (int cycle = 0; cycle < 20; cycle++) {
      assertThat(pruner.cycle().deeds()).isEmpty();
    }
    assertThat(replicas("busy-soon")).isEqualTo(2);
    assertThat(annotation("busy-soon", "fallow.dev/intent")).isEmpty();
    away[0] = false;
    pruner.cycle();
    pruner.cycle();
    assertThat(replicas("busy-soon")).as("within two cycles after recovery").isZero();
  }

  @Test
  void aSingleRunLooksAgainAtOnceAndPausesNothingThatIsBusyThen() {
    List<String> announcements = new ArrayList<>();
    UsageSource waking =
        (at, window) -> {
          announcements.add(annotation("busy-at-second", "fallow.dev/intent"));
          Usage seen = usage.read(at, window);
          return announcements.size() == 1 ? seen : busyAt(at, seen);
        };
    Pruner.Report report = pruner("busy-at-second", waking).runOnce();
    assertThat(announcements).as("what stood on it at each look").hasSize(2);
    assertThat(announcements.getFirst()).isEmpty();
    assertThat(announcements.getLast()).contains("\"epoch\":\"1-test\"");
    assertThat(report.deeds())
        .singleElement()
        .satisfies(deed -> {
          assertThat(deed.done()).isFalse();
          assertThat(deed.reason()).isEqualTo("CHANGED_MEANWHILE");
          assertThat(deed.outcome().sentence()).contains("was active in the last 30 min");
        });
    assertThat(replicas("busy-at-second")).isEqualTo(2);
    assertThat(deployment("busy-at-second").at("metadata", "annotations").keys()).isEmpty();
    assertThat(ledger.actions(ActionQuery.latest(10).namespace("busy-at-second"))).isEmpty();
  }

  /** The same, and every GPU at work in the last moment. */
  private static Usage busyAt(Instant at, Usage seen) {
    return new Usage.Complete(
        seen.series().stream()
            .map(series -> {
              Samples.Builder samples = new Samples.Builder(at);
              for (int i = 0; i < series.samples().size(); i++) {
                samples.add(series.samples().millis(i), series.samples().value(i));
              }
              return new UsageSeries(
                  series.labels(), samples.add(at.toEpochMilli(), 80).build(), series.all());
            })
            .toList());
  }

  @Test
  void theIntentOfAnotherLeaderIsCleared() {
    rig.admin()
        .patch(
            path("stopped"),
            "{\"metadata\":{\"annotations\":{\"fallow.dev/keep-until\":\"2099-01-01T00:00:00Z\","
                + "\"fallow.dev/intent\":\"{\\\"id\\\":\\\"old\\\",\\\"epoch\\\":\\\"0-other\\\"}\"}}}")
        .orThrow();
    // Since it is kept, no intent of ours takes the place of theirs.
    Pruner pruner = pruner("stopped");
    pruner.cycle();
    assertThat(annotation("stopped", "fallow.dev/intent")).isEmpty();
  }

  @Test
  void aPauseThatWasUndoneBeforeItWasWrittenDownIsWrittenDownAllTheSame() {
    Pruner crashing = pruner("crashed", usage, Journal.NONE, Clock.systemUTC());
    crashing.cycle();
    crashing.cycle();
    assertThat(replicas("crashed")).isZero();
    scale("crashed", 2, "kubectl-scale");
    pruner("crashed").cycle();
    assertThat(ledger.actions(ActionQuery.latest(10).namespace("crashed")))
        .extracting(action -> action.outcome())
        .containsExactlyInAnyOrder(Outcome.DONE, Outcome.UNDONE);
  }

  @Test
  void anAnnouncementDoesNotLookLikeAResume() {
    Pruner pruner = pruner("resumed");
    pruner.cycle();
    pruner.cycle();
    WorkloadWriter writer = new WorkloadWriter(changes, Clock.systemUTC(), Step.Observer.NONE);
    ObjectId id = pruner.cycle().inspection().decisions().getFirst().assessment().workload().root();
    assertThat(writer.resume(id)).isInstanceOf(dev.fallow.core.prune.Outcome.Done.class);
    Instant resumed = switchedAt("resumed", "fallow");
    // The API server dates by the second.
    await().until(() -> Instant.now().isAfter(resumed.plusSeconds(2)));
    Workload workload = pruner.cycle().inspection().decisions().getFirst().assessment().workload();
    assertThat(writer.announce(workload, new Intent("i1", "1-test", Instant.now())))
        .isInstanceOf(dev.fallow.core.prune.Outcome.Done.class);
    assertThat(annotation("resumed", "fallow.dev/intent")).contains("i1");
    assertThat(switchedAt("resumed", "fallow")).isEqualTo(resumed);
  }

  private static Instant switchedAt(String namespace, String manager) {
    return deployment(namespace).at("metadata", "managedFields").items().stream()
        .filter(entry -> entry.at("manager").text().equals(manager))
        .filter(entry -> !entry.at("fieldsV1", "f:spec", "f:replicas").isMissing())
        .map(entry -> Instant.parse(entry.at("time").text()))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aClockThatDisagreesWithTheApiServersPausesNothing() {
    Clock slow = Clock.offset(Clock.systemUTC(), Duration.ofSeconds(-60));
    Pruner pruner = pruner("wrong-clock", usage, Journal.NONE, slow);
    // The first announcement may be made before the API server has said what time it is.
    pruner.cycle();
    for (int cycle = 0; cycle < 2; cycle++) {
      assertThat(pruner.cycle().deeds())
          .singleElement()
          .satisfies(deed -> {
            assertThat(deed.done()).isFalse();
            assertThat(deed.reason()).isEqualTo("FLEET_IMPLAUSIBLE");
            assertThat(deed.outcome().sentence()).contains("s behind the API server's");
          });
    }
    assertThat(replicas("wrong-clock")).isEqualTo(2);
    assertThat(annotation("wrong-clock", "fallow.dev/intent")).isEmpty();
  }

  @Test
  void aFleetThatGoesStillAtOnceIsNotBelieved() {
    Pruner pruner = pruner("sudden");
    for (int cycle = 0; cycle < 3; cycle++) {
      Pruner.Report report = pruner.cycle();
      assertThat(report.deeds()).isEmpty();
      assertThat(report.inspection().decisions())
          .hasSize(3)
          .allSatisfy(d -> assertThat(d.reason()).isEqualTo("FLEET_IMPLAUSIBLE"));
    }
  }

  /** A tenth of three is less than one, and one is always allowed. */
  @Test
  void ofThreeIdleWorkloadsOneIsPausedInTheHourWhoeverStartsAnew() {
    Pruner first = byDefault("shared", books());
    first.cycle();
    assertThat(first.cycle().deeds())
        .singleElement()
        .satisfies(deed -> assertThat(deed.done()).as(deed.outcome().sentence()).isTrue());
    String paused = onlyPausedIn("shared");
    for (Pruner pruner :
        List.of(first, byDefault("shared", withoutLedger()), byDefault("shared", books()))) {
      for (int cycle = 0; cycle < 2; cycle++) {
        Pruner.Report report = pruner.cycle();
        assertThat(report.deeds()).isEmpty();
        assertThat(report.inspection().decisions())
            .extracting(Decision::reason)
            .containsExactlyInAnyOrder("PAUSED_ALREADY", "BUDGET_SPENT", "BUDGET_SPENT");
        assertThat(onlyPausedIn("shared")).isEqualTo(paused);
      }
    }
  }

  /** Then no object shows the pause any more. */
  @Test
  void aPauseOfWhatIsDeletedSinceIsCountedByWhoeverReadsTheLedger() {
    Pruner first = byDefault("shrunk", books());
    first.cycle();
    first.cycle();
    String paused = onlyPausedIn("shrunk");
    rig.admin().delete(collection("shrunk") + "/" + paused).orThrow();
    rig.kubectl("delete", "pods", "-n", "shrunk", "-l", "app=" + paused, "--wait");

    Pruner restarted = byDefault("shrunk", books());
    for (int cycle = 0; cycle < 2; cycle++) {
      Pruner.Report report = restarted.cycle();
      assertThat(report.deeds()).isEmpty();
      assertThat(report.inspection().decisions())
          .extracting(Decision::reason)
          .containsExactly("BUDGET_SPENT", "BUDGET_SPENT");
    }
    assertThat(replicasIn("shrunk").values()).containsOnly(1L);
  }

  private static String onlyPausedIn(String namespace) {
    List<String> paused =
        replicasIn(namespace).entrySet().stream()
            .filter(one -> one.getValue() == 0)
            .map(Map.Entry::getKey)
            .toList();
    assertThat(paused).as("paused in " + namespace).hasSize(1);
    return paused.getFirst();
  }

  private static Map<String, Long> replicasIn(String namespace) {
    return rig.admin().get(collection(namespace)).orThrow().json().at("items").items().stream()
        .collect(
            Collectors.toMap(
                one -> one.at("metadata", "name").text(),
                one -> one.at("spec", "replicas").number()));
  }

  private static Pruner pruner(String namespace) {
    return pruner(namespace, usage);
  }

  /** With the limits that hold unless somebody changes them. */
  private static Pruner byDefault(String namespace, Journal journal) {
    return pruner(
        Map.of("namespace", namespace), usage, journal, Clock.systemUTC(), Step.Observer.NONE);
  }

  private static Pruner pruner(String namespace, UsageSource source) {
    return pruner(namespace, source, books(), Clock.systemUTC());
  }

  private static Books books() {
    return new Books(Optional.of(ledger), new EventWriter(changes)::write, Step.Observer.NONE);
  }

  private static Books withoutLedger() {
    return new Books(Optional.empty(), new EventWriter(changes)::write, Step.Observer.NONE);
  }

  private static Pruner pruner(String namespace, UsageSource source, Journal journal, Clock clock) {
    return pruner(namespace, source, journal, clock, Step.Observer.NONE);
  }

  private static Pruner pruner(
      String namespace, UsageSource source, Journal journal, Clock clock, Step.Observer moments) {
    Map<String, String> written = Map.of("namespace", namespace, "max-share-per-namespace", "100%");
    return pruner(written, source, journal, clock, moments);
  }

  private static Pruner pruner(
      Map<String, String> written,
      UsageSource source,
      Journal journal,
      Clock clock,
      Step.Observer moments) {
    Settings settings = Settings.of(written, Map.of(), Map.of(), "");
    return new Pruner(
        new OneShotClusterReader(
            reads,
            Optional.ofNullable(written.get("namespace")),
            FollowedKinds.of(settings.of(Catalogue.ENABLED_RESOURCES))),
        source,
        new WorkloadWriter(changes, clock, moments),
        journal,
        settings,
        clock,
        new Pruner.Leadership() {
          @Override
          public boolean leads() {
            return true;
          }

          @Override
          public String epoch() {
            return "1-test";
          }
        },
        moments);
  }

  private static void scale(String namespace, int replicas, String manager) {
    rig.admin()
        .patch(
            path(namespace) + "?fieldManager=" + manager,
            "{\"spec\":{\"replicas\":%d}}".formatted(replicas))
        .orThrow();
  }

  private static String path(String namespace) {
    return collection(namespace) + "/trainer";
  }

  private static String collection(String namespace) {
    return "/apis/apps/v1/namespaces/" + namespace + "/deployments";
  }

  private static long replicas(String namespace) {
    return deployment(namespace).at("spec", "replicas").number();
  }

  private static String annotation(String namespace, String key) {
    return deployment(namespace).at("metadata", "annotations", key).text();
  }

  private static Json deployment(String namespace) {
    return rig.admin().get(path(namespace)).orThrow().json();
  }
}
