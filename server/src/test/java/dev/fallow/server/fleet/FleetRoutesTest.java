package dev.fallow.server.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Router;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Guard;
import dev.fallow.server.access.PretendDoor;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FleetRoutesTest {

  /** When keeps begin: what is shown may be older. */
  private static final Instant NEXT_DAY = Instant.parse("2026-11-03T12:00:00Z");

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final String TRAINER = "/api/v1/workloads/ml/Deployment/trainer";

  private final List<String> done = new ArrayList<>();
  private final Set<String> past = new TreeSet<>(Set.of("ml", "research", "gone"));
  private final FleetPicture picture =
      new FleetPicture(
          1,
          NOON,
          List.of(
              item("ml", "trainer", "IDLE", 55, 8),
              item("ml", "server", "BUSY", 0, 2),
              item("research", "lab", "KEPT", 0, 1)),
          Map.of(
              "cluster",
              "prod",
              "gpus",
              Map.of("busy", 2, "idle", 8, "kept", 1, "free", 5),
              "workloads",
              Map.of("busy", 1, "idle", 1, "kept", 1),
              "savedToday",
              30.0),
          new PastSums() {
            @Override
            public Set<String> namespaces() {
              return past;
            }

            @Override
            public Map<String, Object> of(Predicate<String> sees) {
              return Map.of("savedToday", 10.0 * past.stream().filter(sees).count());
            }
          },
          List.of(
              Map.of(
                  "node",
                  "n1",
                  "model",
                  "A100",
                  "gpus",
                  List.of(
                      Map.of(
                          "device",
                          "GPU-1",
                          "state",
                          "BUSY",
                          "use",
                          0.9,
                          "workload",
                          "Deployment/research/lab",
                          "namespace",
                          "research")))));

  private FleetPicture shown = picture;

  private final Router router =
      new Router(
          FleetRoutes.of(
              new FleetSource() {
                @Override
                public FleetPicture picture() {
                  return shown;
                }

                @Override
                public Optional<Map<String, Object>> why(WorkloadItem item) {
                  return Optional.of(Map.of("workload", item.workload()));
                }
              },
              new Hands() {
                @Override
                public Keep keep(WorkloadItem item, KeepTerm term, String why, Caller caller) {
                  Instant end = term.end(NEXT_DAY);
                  done.add(
                      "keep %s %s %s %s".formatted(item.name(), end, why, caller.name()).strip());
                  return new Keep(end, caller.name(), why);
                }

                @Override
                public void endKeep(WorkloadItem item, Caller caller) {
                  done.add("end " + item.name());
                }

                @Override
                public void pause(WorkloadItem item, String reason, Caller caller) {
                  done.add("pause " + item.name());
                }

                @Override
                public void resume(WorkloadItem item, Caller caller) {
                  done.add("resume " + item.name());
                }
              },
              new Guard(
                  new PretendDoor(
                      Map.of("alice", Set.of("ml"), "boss", Set.of("*")),
                      Map.of("alice", Set.of("ml"))),
                  Optional.of("https://fallow.example.com"))));

  private static WorkloadItem item(
      String namespace, String name, String state, double waste, int gpus) {
    String workload = "Deployment/" + namespace + "/" + name;
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", workload);
    return new WorkloadItem(
        workload,
        namespace,
        "Deployment",
        name,
        state,
        state.equals("KEPT") ? "IDLE" : state,
        (workload + " a100").toLowerCase(Locale.ROOT),
        waste,
        waste,
        gpus,
        OptionalDouble.empty(),
        Optional.empty(),
        fields);
  }

  private Reply ask(String method, String path, String body, String... headers) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    return router.answer(
        Request.of(method, URI.create(path), all, body.getBytes(StandardCharsets.UTF_8)));
  }

  private Reply change(String method, String path, String body) {
    return ask(
        method,
        path,
        body,
        "X-Name",
        "alice",
        "X-Requested-With",
        "fallow",
        "Content-Type",
        "application/json");
  }

  @ParameterizedTest
  @CsvSource({
    "'',trainer server lab",
    "?sort=name,server trainer lab",
    "?sort=-name,lab trainer server",
    "?state=busy&state=kept,server lab",
    "?verdict=IDLE,trainer lab",
    "?namespace=research,lab",
    "?q=TRAIN,trainer",
    "?limit=1,trainer",
    "?limit=1&cursor=1,server",
  })
  void aListIsFilteredSortedAndPaged(String query, String names) {
    String body = ask("GET", "/api/v1/workloads" + query, "", "X-Name", "boss").bodyText();
    List<String> found =
        body.lines()
            .flatMap(line ->
                java.util.regex.Pattern.compile("Deployment/\\w+/(\\w+)")
                    .matcher(line)
                    .results()
                    .map(match -> match.group(1)))
            .toList();
    assertThat(String.join(" ", found)).isEqualTo(names);
  }

  @ParameterizedTest
  @ValueSource(strings = {"?stat=IDLE", "?state=LAZY", "?sort=luck", "?limit=0", "?cursor=x"})
  void aParameterThatCannotBeMeantIsRefused(String query) {
    assertThatThrownBy(() -> ask("GET", "/api/v1/workloads" + query, "", "X-Name", "boss"))
        .isInstanceOf(Rejected.class);
  }

  @Test
  void othersNamespacesAreNotThere() {
    assertThat(ask("GET", "/api/v1/workloads", "", "X-Name", "alice").bodyText())
        .contains("trainer")
        .doesNotContain("lab");
    assertThatThrownBy(
            () -> ask("GET", "/api/v1/workloads/research/Deployment/lab", "", "X-Name", "alice"))
        .isInstanceOf(Rejected.class);
  }

  @Test
  void ofOthersCardsIsToldThatTheyAreHeld() {
    assertThat(ask("GET", "/api/v1/nodes", "", "X-Name", "boss").bodyText())
        .contains("GPU-1", "Deployment/research/lab", "\"use\":0.9", "A100");
    assertThat(ask("GET", "/api/v1/nodes", "", "X-Name", "alice").bodyText())
        .contains("{\"state\":\"HELD\"}", "\"node\":\"n1\"")
        .doesNotContain("research", "GPU-1", "0.9", "A100");
    assertThat(ask("GET", "/api/v1/nodes", "", "X-Name", "stranger").bodyText())
        .isEqualTo("{\"items\":[]}");
  }

  @Test
  void aSentenceAboutWhatIsMissingIsForThoseWhoSeeEverything() {
    Map<String, Object> summary = new LinkedHashMap<>(picture.summary());
    summary.put(
        "degraded", List.of(Map.of("source", "scrape", "sentence", "research/exporter is away")));
    shown =
        new FleetPicture(
            2, NOON, List.of(item("ml", "trainer", "IDLE", 55, 8)), summary, List.of());
    assertThat(ask("GET", "/api/v1/summary", "", "X-Name", "boss").bodyText())
        .contains("research/exporter");
    assertThat(ask("GET", "/api/v1/summary", "", "X-Name", "alice").bodyText())
        .contains("\"degraded\":[{\"source\":\"scrape\"}]")
        .doesNotContain("research");
  }

  @Test
  void rowsAreWrittenOnceForEverybody() {
    List<WorkloadItem> many = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      many.add(item("ml", "w" + i + "x".repeat(800), "IDLE", i, 1));
    }
    shown = new FleetPicture(2, NOON, many, Map.of(), List.of());
    String path = "/api/v1/workloads?limit=10000";
    assertThat(ask("GET", path, "", "X-Name", "boss").body().length()).isGreaterThan(7_000_000);
    long before = allocated();
    Reply again = ask("GET", path, "", "X-Name", "boss");
    long bytes = allocated() - before;
    assertThat(again.status()).isEqualTo(200);
    assertThat(bytes).as("bytes for an answer of 8 MB").isLessThan(2_000_000);
  }

  private static long allocated() {
    return ((com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean())
        .getCurrentThreadAllocatedBytes();
  }

  @Test
  void aPictureIsSortedOnceForEachOrder() {
    SortedItems sorted = new SortedItems();
    List<WorkloadItem> waste = sorted.of(picture, "waste");
    assertThat(sorted.of(picture, "-name")).isNotSameAs(waste);
    assertThat(sorted.of(picture, "waste")).isSameAs(waste);
    FleetPicture next =
        new FleetPicture(1, NOON, List.of(item("ml", "new", "IDLE", 1, 1)), Map.of(), List.of());
    assertThat(sorted.of(next, "waste")).extracting(WorkloadItem::name).containsExactly("new");
  }

  @Test
  void aSummaryCountsWhatItsReaderMaySee() {
    assertThat(ask("GET", "/api/v1/summary", "", "X-Name", "boss").bodyText())
        .contains("\"savedToday\":30.0")
        .doesNotContain("partial");
    assertThat(ask("GET", "/api/v1/summary", "", "X-Name", "alice").bodyText())
        .contains("\"cluster\":\"prod\"")
        .contains("{\"busy\":2,\"idle\":8,\"kept\":0,\"unknown\":0,\"free\":5,\"paused\":0}")
        .contains("{\"busy\":1,\"idle\":1,\"kept\":0,\"unknown\":0,\"paused\":0}")
        .contains("\"wastedPerHour\":55.0")
        .contains("\"savedToday\":10.0")
        .contains("\"partial\":true");
  }

  @Test
  void aPastThatOneMayNotSeeIsLeftOutEvenWhereNothingOfItIsLeft() {
    shown =
        new FleetPicture(
            2,
            NOON,
            List.of(item("ml", "trainer", "IDLE", 55, 8)),
            picture.summary(),
            picture.past(),
            List.of());
    assertThat(ask("GET", "/api/v1/summary", "", "X-Name", "alice").bodyText())
        .contains("\"savedToday\":10.0")
        .contains("\"partial\":true");
  }

  @Test
  void whoSeesNothingIsToldOfNothing() {
    assertThat(ask("GET", "/api/v1/summary", "", "X-Name", "stranger").bodyText())
        .contains("{\"busy\":0,\"idle\":0,\"kept\":0,\"unknown\":0,\"free\":5,\"paused\":0}")
        .contains("\"savedToday\":0.0");
  }

  @Test
  void beforeTheFirstLookNothingIsSaidToBeMissing() {
    shown = FleetPicture.NONE;
    assertThatThrownBy(() -> change("POST", TRAINER + "/keep", "{\"hours\":8}"))
        .isInstanceOfSatisfying(
            Rejected.class, rejected -> assertThat(rejected.problem().status()).isEqualTo(503));
    assertThat(done).isEmpty();
  }

  @Test
  void whoHasTheAnswerIsSparedIt() {
    Reply first = ask("GET", "/api/v1/workloads", "", "X-Name", "boss");
    String tag = String.valueOf(first.headers().get("ETag"));
    Reply again = ask("GET", "/api/v1/workloads", "", "X-Name", "boss", "If-None-Match", tag);
    assertThat(again.status()).isEqualTo(304);
    assertThat(again.body().length()).isZero();
  }

  @Test
  void aChangeAnswersWhatHasComeOfIt() {
    assertThat(change("POST", TRAINER + "/keep", "{\"hours\":8}").bodyText())
        .contains("\"state\":\"KEPT\"")
        .contains("\"keep\":{")
        .contains("\"until\":\"2026-11-03T20:00:00Z\"");
    assertThat(change("POST", TRAINER + "/pause", "").bodyText()).contains("\"state\":\"PAUSED\"");
  }

  @Test
  void aKeepIsMadeByHoursOrUntil() {
    assertThat(change("POST", TRAINER + "/keep", "{\"hours\":8,\"reason\":\"demo\"}").status())
        .isEqualTo(200);
    change("POST", TRAINER + "/keep", "{\"until\":\"2026-11-02T13:30:00Z\"}");
    change("DELETE", TRAINER + "/keep", "");
    change("POST", TRAINER + "/pause", "");
    change("POST", TRAINER + "/resume", "");
    assertThat(done)
        .containsExactly(
            "keep trainer 2026-11-03T20:00:00Z demo alice",
            "keep trainer 2026-11-02T13:30:00Z  alice",
            "end trainer",
            "pause trainer",
            "resume trainer");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"hours\":0}",
        "{\"hours\":-4}",
        "{\"hours\":1e300}",
        "{\"hours\":\"8\"}",
        "{\"hours\":8,\"until\":\"2026-11-02T13:30:00Z\"}",
        "{\"hours\":8,\"hours\":9}",
        "{\"hours\":8,\"force\":true}",
        "{\"hours\":8",
        "[8]",
        "{\"hours\":{\"a\":1}}",
        "{\"hours\":NaN}",
        "{\"hours\":8}{}",
      })
  void aWishThatCannotBeReadChangesNothing(String body) {
    assertThatThrownBy(() -> change("POST", TRAINER + "/keep", body)).isInstanceOf(Rejected.class);
    assertThat(done).isEmpty();
  }

  @Test
  void aChangeTakesAName() {
    assertThatThrownBy(
            () -> ask("POST", TRAINER + "/keep", "{\"hours\":8}", "X-Requested-With", "fallow"))
        .isInstanceOfSatisfying(
            Rejected.class, refused -> assertThat(refused.problem().status()).isEqualTo(401));
    assertThat(done).isEmpty();
  }

  @Test
  void aPageOfSomebodyElseCannotMakeAChange() {
    assertThatThrownBy(() ->
            ask(
                "POST",
                TRAINER + "/resume",
                "",
                "X-Name",
                "alice",
                "Origin",
                "https://evil.example"))
        .isInstanceOfSatisfying(
            Rejected.class,
            refused -> assertThat(refused.problem().reason()).isEqualTo("CROSS_ORIGIN"));
    assertThatThrownBy(() ->
            ask(
                "POST",
                TRAINER + "/resume",
                "",
                "X-Name",
                "alice",
                "X-Requested-With",
                "fallow",
                "Sec-Fetch-Site",
                "cross-site"))
        .isInstanceOf(Rejected.class);
    assertThat(done).isEmpty();
  }

  @Test
  void aProgramNeedsNoHeaderOfOurs() {
    ask("POST", TRAINER + "/resume", "", "X-Name", "alice");
    assertThat(done).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Origin", "Referer", "Cookie", "Sec-Fetch-Site", "Sec-Fetch-Mode"})
  void aBrowserDoes(String header) {
    assertThatThrownBy(
            () -> ask("POST", TRAINER + "/resume", "", "X-Name", "alice", header, "same-origin"))
        .isInstanceOf(Rejected.class);
    assertThat(done).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"same-origin,1", "none,1", "same-site,0", "cross-site,0"})
  void aPageOfANeighbouringHostIsSomebodyElsesToo(String site, int changes) {
    try {
      ask(
          "POST",
          TRAINER + "/resume",
          "",
          "X-Name",
          "alice",
          "X-Requested-With",
          "fallow",
          "Sec-Fetch-Site",
          site);
    } catch (Rejected refused) {
      assertThat(refused.problem().reason()).isEqualTo("CROSS_ORIGIN");
    }
    assertThat(done).hasSize(changes);
  }

  @Test
  void oneMayOnlyChangeWhatOneMayUpdate() {
    assertThat(refusal("boss", "/api/v1/workloads/research/Deployment/lab/resume")).isEqualTo(403);
    assertThat(done).isEmpty();
  }

  private int refusal(String name, String path) {
    Map<String, String> headers = new HashMap<>(Map.of("X-Requested-With", "fallow"));
    if (!name.isEmpty()) {
      headers.put("X-Name", name);
    }
    return catchThrowableOfType(
            Rejected.class,
            () -> router.answer(Request.of("POST", URI.create(path), headers, new byte[0])))
        .problem()
        .status();
  }

  @Test
  void whatExistsIsToldToWhoMaySeeOrChangeItOnly() {
    String hidden = "/api/v1/workloads/research/Deployment/lab/resume";
    String missing = "/api/v1/workloads/research/Deployment/none/resume";
    assertThat(refusal("", hidden)).isEqualTo(401);
    assertThat(refusal("", missing)).isEqualTo(401);
    assertThat(refusal("alice", hidden)).isEqualTo(404);
    assertThat(refusal("alice", missing)).isEqualTo(404);
    for (String path : List.of("research/Deployment/lab", "research/Deployment/none")) {
      assertThatThrownBy(() -> ask("GET", "/api/v1/workloads/" + path, ""))
          .isInstanceOfSatisfying(
              Rejected.class, refused -> assertThat(refused.problem().status()).isEqualTo(401));
    }
    assertThat(done).isEmpty();
  }

  @Test
  void aTokenThatAProxyAddsDoesNotMakeAnothersPageOurs() {
    assertThatThrownBy(() ->
            ask(
                "POST",
                TRAINER + "/pause",
                "",
                "X-Name",
                "alice",
                "Authorization",
                "Bearer of-the-proxy",
                "Origin",
                "https://evil.example"))
        .isInstanceOfSatisfying(
            Rejected.class,
            refused -> assertThat(refused.problem().reason()).isEqualTo("CROSS_ORIGIN"));
    assertThat(done).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "http://inside:8080,1",
    "https://inside:8080,1",
    "https://fallow.example.com,1",
    "http://fallow.example.com,0",
    "https://fallow.example.com.evil.example,0",
    "https://evil.example,0",
    "null,0",
    "inside:8080,0"
  })
  void anOriginHasToBeTheHostOrThePagesAddress(String origin, int changes) {
    try {
      ask(
          "POST",
          TRAINER + "/resume",
          "",
          "X-Name",
          "alice",
          "X-Requested-With",
          "fallow",
          "Host",
          "inside:8080",
          "Origin",
          origin);
    } catch (Rejected refused) {
      assertThat(refused.problem().reason()).isEqualTo("CROSS_ORIGIN");
    }
    assertThat(done).hasSize(changes);
  }

  @Test
  void whoHasTheEvidenceIsSparedItToo() {
    String tag =
        String.valueOf(ask("GET", TRAINER + "/why", "", "X-Name", "alice").headers().get("ETag"));
    assertThat(ask("GET", TRAINER + "/why", "", "X-Name", "alice", "If-None-Match", tag).status())
        .isEqualTo(304);
  }
}
