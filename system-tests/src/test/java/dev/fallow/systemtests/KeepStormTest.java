package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.rig.ApiResponse;
import dev.fallow.rig.AuditLevel;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.systemtests.faults.FallowProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A thousand keeps a minute at two instances that pause, whose leader is killed again and again:
 * its lease runs out, and the other takes over. Ten seconds of keeps by default; {@code
 * -Dkeeps.seconds=60} is the whole minute.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class KeepStormTest {

  private static final int SECONDS = Integer.getInteger("keeps.seconds", 10);
  private static final int A_MINUTE = 1_000;
  private static final int WORKLOADS = 20;
  private static final int MOST_ATTEMPTS = 100;
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir Path folder;

  private final Rig rig = Rig.builder().audit(AuditLevel.WRITES).start();
  private final Path account = ShippedAccount.in(rig);
  private RigPrometheus prometheus;
  private final FallowProcess[] instances = new FallowProcess[2];
  private int started;

  /** What was answered with 200. */
  private final Set<String> accepted = new ConcurrentSkipListSet<>();

  /** The keeps that stood by the answers: one that somebody else made meanwhile may end later. */
  private final Set<String> standing = new ConcurrentSkipListSet<>();

  private final Set<String> shortened = new ConcurrentSkipListSet<>();

  private final Map<Integer, Integer> refused = new ConcurrentHashMap<>();

  @AfterEach
  void close() {
    for (FallowProcess instance : instances) {
      if (instance != null) {
        instance.close();
      }
    }
    rig.close();
    if (prometheus != null) {
      prometheus.close();
    }
  }

  private FallowProcess start() {
    return FallowProcess.daemon(
            folder,
            "instance-" + started++,
            Map.of(),
            DaemonWords.of(
                account,
                prometheus,
                folder.resolve("ledger-" + started + ".db"),
                "-r",
                "scale-down",
                "--lease-namespace",
                ShippedAccount.NAMESPACE))
        .awaitUp();
  }

  @Test
  void noAcceptedKeepIsLostWhileLeadersChange() throws Exception {
    LiveFleet fleet = new LiveFleet(rig);
    for (int i = 0; i < WORKLOADS; i++) {
      fleet.pod(fleet.deployment("ml", "d" + i, 1), LiveFleet::idle);
      rig.kubectl(
          "annotate",
          "deployment",
          "d" + i,
          "-n",
          "ml",
          "fallow.dev/keep-until=" + Instant.now().plusSeconds(90));
    }
    fleet.pod(fleet.deployment("alone", "nobodys", 1), LiveFleet::idle);
    prometheus = RigPrometheus.builder().backfill(fleet.samples(folder)).start();
    instances[0] = start();
    instances[1] = start();
    for (FallowProcess instance : instances) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> keep(instance, 0, "first").status() == 200);
    }

    AtomicInteger sent = new AtomicInteger();
    try (ScheduledExecutorService clock =
        Executors.newScheduledThreadPool(24, Thread.ofVirtual().factory())) {
      for (int n = 0; n < A_MINUTE * SECONDS / 60; n++) {
        int number = n;
        clock.schedule(
            () -> {
              sent.incrementAndGet();
              send(clock, number, 0);
            },
            60_000L * n / A_MINUTE,
            TimeUnit.MILLISECONDS);
      }
      for (int change = 0; change < Math.max(2, SECONDS / 20); change++) {
        replaceTheLeader();
      }
      await()
          .atMost(Duration.ofSeconds(SECONDS + 120))
          .untilAsserted(
              () -> assertThat(accepted).as("%s", refused).hasSize(A_MINUTE * SECONDS / 60));
    }

    System.out.printf(
        "%d keeps sent in %d s, %d accepted, others %s%n",
        sent.get(), SECONDS, accepted.size(), refused);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(written()).containsAll(standing));
    assertThat(shortened).isEmpty();
    for (int i = 0; i < WORKLOADS; i++) {
      String until =
          rig.admin()
              .get("/apis/apps/v1/namespaces/ml/deployments/d" + i)
              .orThrow()
              .json()
              .at("metadata", "annotations", "fallow.dev/keep-until")
              .text();
      assertThat(Instant.parse(until)).as("d" + i).isAfter(Instant.now());
      assertThat(replicas("ml", "d" + i)).as("d" + i).isEqualTo(1);
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(replicas("alone", "nobodys")).isZero());
  }

  private long replicas(String namespace, String name) {
    return rig.admin()
        .get("/apis/apps/v1/namespaces/%s/deployments/%s".formatted(namespace, name))
        .orThrow()
        .json()
        .at("spec", "replicas")
        .number();
  }

  /** Kills the one whose cycles go on, and waits until the other's do. */
  private void replaceTheLeader() {
    long[] before = {instances[0].cycles(), instances[1].cycles()};
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> instances[0].cycles() > before[0] || instances[1].cycles() > before[1]);
    int leader = instances[0].cycles() > before[0] ? 0 : 1;
    int heir = 1 - leader;
    instances[leader].close();
    await().atMost(Duration.ofSeconds(60)).until(() -> instances[heir].cycles() > before[heir]);
    instances[leader] = start();
  }

  /** To one instance, or to the other where that is away, as somebody would who clicks again. */
  private void send(ScheduledExecutorService clock, int number, int attempt) {
    String reason = "keep-" + number + "-" + attempt;
    Instant asked = Instant.now();
    ApiResponse answer = keep(instances[(number + attempt) % 2], number % WORKLOADS, reason);
    if (answer.status() == 200) {
      accepted.add(reason);
      standing.add(answer.json().at("keep", "reason").text());
      Instant until = Instant.parse(answer.json().at("keep", "until").text());
      if (until.isBefore(asked.plus(Duration.ofHours(8)).minusSeconds(1))) {
        shortened.add(reason + " until " + until);
      }
    } else {
      refused.merge(answer.status(), 1, Integer::sum);
      if (attempt < MOST_ATTEMPTS) {
        clock.schedule(() -> send(clock, number, attempt + 1), 500, TimeUnit.MILLISECONDS);
      }
    }
  }

  private static ApiResponse keep(FallowProcess instance, int workload, String reason) {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create(
                    "http://127.0.0.1:%d/api/v1/workloads/ml/Deployment/d%d/keep"
                        .formatted(instance.port(), workload)))
            .timeout(Duration.ofSeconds(20))
            .header("Content-Type", "application/json")
            .header("X-Requested-With", "fallow")
            .POST(
                HttpRequest.BodyPublishers.ofString(
                    "{\"hours\":8,\"reason\":\"%s\"}".formatted(reason)))
            .build();
    try {
      HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
      return new ApiResponse(answer.statusCode(), answer.body());
    } catch (IOException away) {
      return new ApiResponse(0, "");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new ApiResponse(0, "");
    }
  }

  /** The reasons of all keeps that the API server has written, by its own log. */
  private Set<String> written() {
    Set<String> reasons = ConcurrentHashMap.newKeySet();
    rig.audit().entries(entry -> entry.code() == 200).stream()
        .map(entry ->
            entry
                .event()
                .at("requestObject", "metadata", "annotations", "fallow.dev/keep-reason")
                .text())
        .filter(reason -> !reason.isEmpty())
        .forEach(reasons::add);
    return reasons;
  }
}
