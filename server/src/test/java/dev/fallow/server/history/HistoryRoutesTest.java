package dev.fallow.server.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Router;
import dev.fallow.server.access.PretendDoor;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryRoutesTest {

  private final List<HistoryQuery> asked = new ArrayList<>();
  private Optional<String> next = Optional.empty();
  private final Router router =
      new Router(
          HistoryRoutes.of(
              query -> {
                asked.add(query);
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("workload", "Deployment/ml/trainer");
                row.put("verb", "pause");
                row.put("gpus", 8);
                row.put("at", Instant.parse("2026-11-02T12:00:00Z"));
                row.put("by", Optional.empty());
                return new HistoryPage(List.of(row), next);
              },
              PretendDoor.OPEN));

  @Test
  void aPageSaysWhereTheNextBegins() {
    assertThat(ask(""))
        .isEqualTo(
            "{\"items\":[{\"workload\":\"Deployment/ml/trainer\",\"verb\":\"pause\",\"gpus\":8,"
                + "\"at\":\"2026-11-02T12:00:00Z\",\"by\":null}],\"next\":null}");
    next = Optional.of("0001-abc");
    assertThat(ask("?cursor=0001-abb&limit=1")).endsWith("\"next\":\"0001-abc\"}");
    assertThat(asked.getLast().cursor()).contains("0001-abb");
  }

  @Test
  void everybodyReadsWhatWasDoneWhereTheyMaySee() {
    List<HistoryQuery> read = new ArrayList<>();
    Router shared =
        new Router(
            HistoryRoutes.of(
                query -> {
                  read.add(query);
                  return new HistoryPage(
                      List.of(
                          Map.of("workload", "Deployment/ml/a", "namespace", "ml"),
                          Map.of("workload", "Deployment/ops/b", "namespace", "ops")),
                      Optional.empty());
                },
                new PretendDoor(Map.of("alice", Set.of("ml")), Map.of())));
    assertThat(
            shared
                .answer(
                    Request.of(
                        "GET",
                        URI.create("/api/v1/history"),
                        Map.of("X-Name", "alice"),
                        new byte[0]))
                .bodyText())
        .contains("ml/a")
        .doesNotContain("ops");
    read.clear();
    assertThatThrownBy(() ->
            shared.answer(Request.of("GET", URI.create("/api/v1/history"), Map.of(), new byte[0])))
        .isInstanceOf(Rejected.class);
    assertThat(read).as("nothing is read for nobody").isEmpty();
  }

  /** Of every three rows one is alice's. */
  private static HistoryPage long300(HistoryQuery query) {
    int begin = query.cursor().map(Integer::parseInt).orElse(0);
    int end = Math.min(300, begin + query.limit());
    List<Map<String, Object>> rows = new ArrayList<>();
    for (int i = begin; i < end; i++) {
      rows.add(Map.of("workload", "w-" + i, "namespace", i % 3 == 0 ? "ml" : "=ops"));
    }
    return new HistoryPage(rows, end < 300 ? Optional.of(Integer.toString(end)) : Optional.empty());
  }

  private static Reply as(String name, String query, String... headers) {
    Map<String, String> all = new LinkedHashMap<>(Map.of("X-Name", name));
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    return new Router(
            HistoryRoutes.of(
                HistoryRoutesTest::long300,
                new PretendDoor(
                    Map.of("alice", Set.of("ml"), "eve", Set.of(), "boss", Set.of("*")), Map.of())))
        .answer(Request.of("GET", URI.create("/api/v1/history" + query), all, new byte[0]));
  }

  @Test
  void aPageIsFilledWithWhatItsReaderMaySee() {
    String first = as("alice", "?limit=10").bodyText();
    assertThat(first.split("w-", -1)).hasSize(11);
    assertThat(first).contains("w-27").doesNotContain("ops").endsWith("\"next\":\"28\"}");
    assertThat(as("alice", "?limit=10&cursor=28").bodyText()).contains("w-30", "w-57");
    assertThat(as("eve", "?limit=10").bodyText()).isEqualTo("{\"items\":[],\"next\":null}");
  }

  @Test
  void theHistoryIsThereAsCsvAndWhoHasItIsSparedIt() {
    Reply csv = as("boss", "?limit=2", "Accept", "text/csv");
    assertThat(csv.bodyText().lines())
        .containsExactly(
            "at,verb,outcome,workload,namespace,gpus,dollarsPerHour,reason,sentence,by,actionId",
            ",,,w-0,ml,,,,,,",
            ",,,w-1,\"'=ops\",,,,,,");
    String tag = String.valueOf(as("boss", "").headers().get("ETag"));
    assertThat(as("boss", "", "If-None-Match", tag).status()).isEqualTo(304);
  }

  @Test
  void everyFilterReachesTheLedger() {
    ask(
        "?namespace=ml&kind=RayCluster.ray.io&name=a%2Fb&verb=resume"
            + "&since=2026-11-02T13:00:00%2B01:00&limit=1000");
    assertThat(asked)
        .containsExactly(
            new HistoryQuery(
                Optional.of("ml"),
                Optional.of("RayCluster.ray.io"),
                Optional.of("a/b"),
                Optional.of("resume"),
                Optional.of(Instant.parse("2026-11-02T12:00:00Z")),
                1000,
                Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "limit=0,limit",
    "limit=1001,limit",
    "limit=-1,limit",
    "limit=1e2,limit",
    "limit=,limit",
    "limit=99999999999,limit",
    "limit=5&limit=6,limit",
    "since=yesterday,since",
    "since=2026-11-02,since",
    "since=,since",
    "namespace=,namespace",
    "kind=%20,kind",
    "namespce=ml,namespce",
    "name=a&name=b,name"
  })
  void aBadValueNamesItsParameter(String query, String name) {
    Problem problem = catchThrowableOfType(Rejected.class, () -> ask("?" + query)).problem();
    assertThat(problem.status()).isEqualTo(400);
    assertThat(problem.reason()).isEqualTo("BAD_PARAMETER");
    assertThat(problem.detail()).startsWith(name + ": ");
    assertThat(asked).isEmpty();
  }

  private String ask(String query) {
    return router.answer(Request.get("/api/v1/history" + query)).bodyText();
  }
}
