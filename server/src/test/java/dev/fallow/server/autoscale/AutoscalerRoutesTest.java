package dev.fallow.server.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.Unavailable;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Router;
import dev.fallow.server.access.PretendDoor;
import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.FleetSource;
import dev.fallow.server.fleet.WorkloadItem;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AutoscalerRoutesTest {

  private static final String OF_SERVER = "/api/v1/workloads/ml/Deployment/server/autoscalers";

  private final List<String> asked = new ArrayList<>();
  private FleetPicture shown =
      new FleetPicture(
          1,
          Instant.parse("2026-11-02T12:00:00Z"),
          List.of(item("ml", "server"), item("ml", "trainer"), item("research", "lab")),
          Map.of(),
          List.of());

  private final FleetSource fleet =
      new FleetSource() {
        @Override
        public FleetPicture picture() {
          return shown;
        }

        @Override
        public Optional<Map<String, Object>> why(WorkloadItem item) {
          return Optional.empty();
        }
      };

  private final PretendDoor door = new PretendDoor(Map.of("alice", Set.of("ml")), Map.of());

  private final Router router = new Router(AutoscalerRoutes.of(this::read, fleet, door));

  private List<Map<String, Object>> read(WorkloadItem item) {
    asked.add(item.workload());
    return item.name().equals("server") ? List.of(Map.of("hpa", "ml/server")) : List.of();
  }

  private static WorkloadItem item(String namespace, String name) {
    String workload = "Deployment/" + namespace + "/" + name;
    return new WorkloadItem(
        workload,
        namespace,
        "Deployment",
        name,
        "BUSY",
        "BUSY",
        workload,
        0,
        0,
        1,
        OptionalDouble.empty(),
        Optional.empty(),
        Map.of("workload", workload));
  }

  private Reply ask(String path, String... headers) {
    Map<String, String> all = new HashMap<>(Map.of("X-Name", "alice"));
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    return router.answer(Request.of("GET", URI.create(path), all, new byte[0]));
  }

  private static void assertRejected(int status, Runnable asking) {
    assertThatThrownBy(asking::run)
        .isInstanceOfSatisfying(
            Rejected.class, refused -> assertThat(refused.problem().status()).isEqualTo(status));
  }

  @Test
  void whoSeesAWorkloadSeesWhatScalesIt() {
    assertThat(ask(OF_SERVER).bodyText()).isEqualTo("{\"items\":[{\"hpa\":\"ml/server\"}]}");
  }

  @Test
  void whatNothingScalesHasAnEmptyList() {
    assertThat(ask(OF_SERVER.replace("server", "trainer")).bodyText()).isEqualTo("{\"items\":[]}");
  }

  @Test
  void nothingIsReadForWhomItIsNotThere() {
    assertRejected(404, () -> ask("/api/v1/workloads/research/Deployment/lab/autoscalers"));
    assertRejected(404, () -> ask("/api/v1/workloads/ml/Deployment/absent/autoscalers"));
    assertRejected(
        401, () -> router.answer(Request.of("GET", URI.create(OF_SERVER), Map.of(), new byte[0])));
    assertThat(asked).isEmpty();
  }

  @Test
  void beforeTheFirstLookNothingIsSaidToBeMissing() {
    shown = FleetPicture.NONE;
    assertRejected(503, () -> ask(OF_SERVER));
  }

  @Test
  void whoHasTheAnswerIsSparedIt() {
    String tag = String.valueOf(ask(OF_SERVER).headers().get("ETag"));
    Reply again = ask(OF_SERVER, "If-None-Match", tag);
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body().length()).isZero();
  }

  @Test
  void whatCannotBeReadIsAProblemWithItsSentence() throws Exception {
    AutoscalerSource away =
        item -> {
          throw new Unavailable("kubernetes", "horizontalpodautoscalers may not be listed", false);
        };
    HttpFront front =
        HttpFront.start(
            "127.0.0.1", 0, new Router(AutoscalerRoutes.of(away, fleet, door)), defect -> {});
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + front.port() + OF_SERVER))
                  .header("X-Name", "alice")
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
      assertThat(answer.body()).contains("horizontalpodautoscalers may not be listed");
    } finally {
      front.stop(Duration.ofSeconds(1));
    }
  }
}
