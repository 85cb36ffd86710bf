package dev.fallow.systemtests.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.AuditLevel;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigException;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.rig.fault.FaultProxy;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every fault of the catalogue on a real cluster: felt while it is on, gone when it is healed. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class RigFaultsTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofMillis(400);
  private static Rig rig;
  private static RigPrometheus prometheus;
  private static FaultProxy toApi;
  private static FaultProxy toPrometheus;
  private static HttpClient http;

  @BeforeAll
  static void start() {
    rig =
        Rig.builder()
            .durable()
            .audit(AuditLevel.WRITES)
            .user(ToyPruner.USER, "system:masters")
            .user("alice", "system:masters")
            .start();
    prometheus = RigPrometheus.builder().start();
    toApi = FaultProxy.inFrontOf(rig);
    toPrometheus = FaultProxy.inFrontOf(prometheus.url());
    http = HttpClient.newHttpClient();
    rig.admin().post(ToyPruner.PATH, ToyPruner.deployment("web", 2)).orThrow();
  }

  @AfterAll
  static void close() {
    http.shutdownNow();
    toPrometheus.close();
    toApi.close();
    prometheus.close();
    rig.close();
  }

  static Stream<Fault> all() {
    List<Stake> stakes =
        List.of(Stake.ofReplicas(ToyPruner.PATH + "/web", ToyPruner.deployment("web", 2)));
    return Stream.of(
            RigFaults.ofServers(rig),
            RigFaults.ofPrometheus(prometheus),
            RigFaults.ofTheWayToTheApiServer(toApi, "/deployments/"),
            RigFaults.ofTheWayToPrometheus(toPrometheus),
            RigFaults.ofUsers(rig.client("alice"), () -> stakes, rig, ToyPruner.USER))
        .flatMap(List::stream);
  }

  @ParameterizedTest
  @MethodSource("all")
  void isFeltWhileItIsOnAndGoneWhenItIsHealed(Fault fault) {
    fault.start(new SplittableRandom(1));
    try {
      await()
          .atMost(LIMIT)
          .until(() -> {
            knock();
            return fault.tookEffect() || fault.group().equals("servers");
          });
    } finally {
      fault.heal();
    }

    assertThat(fault.tookEffect()).isTrue();
    // Knocks that are still on their way may be faster once or twice.
    await().atMost(LIMIT).until(() -> patch(rig.client(ToyPruner.USER, toApi.url())));
    await().atMost(LIMIT).until(() -> ask() == 200);
  }

  @Test
  void namesAreDifferent() {
    assertThat(all().map(Fault::name)).doesNotHaveDuplicates();
  }

  /** Some traffic of the kind that each fault hits: guarded writes and queries. */
  private static void knock() {
    Thread.ofVirtual().start(() -> patch(rig.client(ToyPruner.USER, toApi.url())));
    try {
      ask();
    } catch (RigException e) {
      // That is what is wanted.
    }
  }

  private static boolean patch(ApiClient api) {
    try {
      String path = ToyPruner.PATH + "/web";
      String revision = api.get(path).json().at("metadata", "resourceVersion").text();
      return api.patch(
              path,
              """
              {"metadata":{"resourceVersion":"%s","annotations":{
                "fallow.dev/intent":"{\\"id\\":\\"%d\\",\\"epoch\\":1}"}}}\
              """
                  .formatted(revision, System.nanoTime()))
          .ok();
    } catch (RuntimeException e) {
      return false;
    }
  }

  private static int ask() {
    HttpRequest request =
        HttpRequest.newBuilder(toPrometheus.url().resolve("/api/v1/query?query=up"))
            .timeout(PATIENCE)
            .build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.ofByteArray()).statusCode();
    } catch (IOException e) {
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }
}
