package dev.fallow.server.metricsapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.MetricBook.Answer;
import dev.fallow.core.autoscale.MetricBook.OfSeries;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The two APIs as clients meet them, path by path; who may ask is another test's. */
class MetricsApiTest {

  private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");
  private static final String CUSTOM = "/apis/custom.metrics.k8s.io/";
  private static final String EXTERNAL = "/apis/external.metrics.k8s.io/v1beta1/";

  private final MadeUpBook book = new MadeUpBook();
  private final List<Access> reviewed = new ArrayList<>();
  private final List<Subject> reviewedFor = new ArrayList<>();
  private Set<MetricsGroup> groups = EnumSet.allOf(MetricsGroup.class);
  private boolean allowed = true;
  private boolean ready = true;
  private Optional<FormerOwner> former = Optional.empty();

  private final Reviewer reviewer =
      new Reviewer() {
        @Override
        public Optional<Subject> holderOf(String token) {
          return switch (token) {
            case "alice" -> Optional.of(new Subject("alice", "u1", List.of("team"), Map.of()));
            case "root" ->
                Optional.of(new Subject("root", "", List.of("system:masters"), Map.of()));
            case "outage" -> throw new Unavailable("kubernetes", "nobody answers", true);
            default -> Optional.empty();
          };
        }

        @Override
        public boolean may(Subject who, Access what) {
          reviewed.add(what);
          reviewedFor.add(who);
          return allowed;
        }
      };

  private Reply ask(String method, String uri, Map<String, String> headers) {
    return new MetricsApi(
            book,
            groups,
            new Gate(() -> FrontProxy.NONE, reviewer),
            () -> ready,
            any -> former,
            () -> NOW)
        .answer(Request.of(method, URI.create(uri), headers, new byte[0]));
  }

  private Reply get(String uri) {
    return ask("GET", uri, Map.of("Authorization", "Bearer alice"));
  }

  private static void assertStatus(Reply reply, int code, String reason) {
    assertThat(reply.status()).as(reply.bodyText()).isEqualTo(code);
    assertThat(reply.headers().get("Content-Type")).isEqualTo("application/json");
    assertThat(reply.bodyText())
        .startsWith(
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"")
        .endsWith("\",\"reason\":\"" + reason + "\",\"code\":" + code + "}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1beta1", "v1beta2"})
  void everyCustomPathReachesTheBookInBothVersions(String version) {
    book.objects = new Answer.Found<>(List.of(MadeUpBook.pod("p", 1)));
    String root = CUSTOM + version;
    for (String path :
        List.of(
            "/namespaces/ml/pods/%2A/m?labelSelector=a%3Db,c&metricLabelSelector=d",
            "/namespaces/ml/pods/*/vllm:num_requests_waiting",
            "/namespaces/ml/pods/p-1/DCGM_FI_DEV_GPU_UTIL",
            "/namespaces/ml/deployments.apps/web/m",
            "/namespaces/ml/inferenceservices.serving.kserve.io/web/m",
            "/nodes/n1/m",
            "/nodes/*/m?labelSelector=zone+in+(a,b)",
            "/namespaces/ml/metrics/m")) {
      assertThat(get(root + path).status()).as(path).isEqualTo(200);
    }
    assertThat(book.asked)
        .satisfiesExactly(
            one ->
                assertThat(one)
                    .startsWith("Resource[group=, plural=pods] Labelled[namespace=ml, labels=")
                    .contains("key=a", "key=c")
                    .endsWith(" m 1"),
            one -> assertThat(one).contains("requirements=[]").endsWith("_waiting 0"),
            one -> assertThat(one).contains("Named[namespace=ml, name=p-1] DCGM_FI_DEV_GPU_UTIL"),
            one -> assertThat(one).startsWith("Resource[group=apps, plural=deployments] Named"),
            one ->
                assertThat(one)
                    .startsWith("Resource[group=serving.kserve.io, plural=inferenceservices]"),
            one -> assertThat(one).contains("plural=nodes] Named[namespace=, name=n1]"),
            one -> assertThat(one).contains("plural=nodes] Labelled[namespace=, ", "key=zone"),
            one -> assertThat(one).contains("plural=namespaces] Named[namespace=, name=ml] m"));
  }

  @ParameterizedTest
  @CsvSource({
    "v1beta1/namespaces/ml/pods/*/m, get, v1beta1, pods, m, ml, *",
    "v1beta2/namespaces/ml/deployments.apps/web/m, get, v1beta2, deployments.apps, m, ml, web",
    "v1beta1/nodes/n1/m, get, v1beta1, nodes, m, '', n1",
    "v1beta1/namespaces/ml/metrics/m, get, v1beta1, metrics, '', ml, m",
  })
  void theRightIsThatOfTheVeryPath(
      String path,
      String verb,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name) {
    get(CUSTOM + path);
    assertThat(reviewed)
        .containsExactly(
            new Access.OfResource(
                verb, "custom.metrics.k8s.io", version, resource, subresource, namespace, name));
  }

  /** Who may read the numbers of a namespace may not therefore read the cluster's. */
  @ParameterizedTest
  @ValueSource(strings = {"nodes", "namespaces", "nodes.", "namespaces.", ".nodes", "pods..v1"})
  void noSpellingOfAClustersResourceIsOfANamespace(String resource) {
    book.objects = new Answer.Found<>(List.of(MadeUpBook.pod("p", 1)));
    assertStatus(get(CUSTOM + "v1beta2/namespaces/ml/" + resource + "/*/m"), 404, "NotFound");
    assertThat(book.asked).isEmpty();
  }

  @Test
  void aLongListIsSentInLessBytesToWhoTakesIt() {
    List<MadeUpBook.OfObject> pods = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      pods.add(MadeUpBook.pod("p" + i, i));
    }
    book.objects = new Answer.Found<>(pods);
    String path = CUSTOM + "v1beta1/namespaces/ml/pods/*/m";
    Reply small =
        ask("GET", path, Map.of("Authorization", "Bearer alice", "Accept-Encoding", "gzip"));
    assertThat(small.headers()).containsEntry("Content-Encoding", "gzip");
    assertThat(small.body().length()).isLessThan(get(path).body().length() / 10);
  }

  @Test
  void readingAnExternalMetricIsListing() {
    get(EXTERNAL + "namespaces/ml/queue?labelSelector=a%3Db");
    assertThat(reviewed)
        .containsExactly(
            new Access.OfResource(
                "list", "external.metrics.k8s.io", "v1beta1", "queue", "", "ml", ""));
    assertThat(book.asked).containsExactly("ml queue 1");
  }

  @Test
  void theFirstVersionOfAValue() {
    book.objects = new Answer.Found<>(List.of(MadeUpBook.pod("p1", 42.5), MadeUpBook.pod("p2", 7)));
    assertThat(get(CUSTOM + "v1beta1/namespaces/ml/pods/*/gpu_utilization").bodyText())
        .isEqualTo(
            "{\"kind\":\"MetricValueList\",\"apiVersion\":\"custom.metrics.k8s.io/v1beta1\","
                + "\"metadata\":{},\"items\":[{\"describedObject\":{\"kind\":\"Pod\",\"namespace\":\"ml\","
                + "\"name\":\"p1\",\"apiVersion\":\"v1\"},\"metricName\":\"gpu_utilization\","
                + "\"timestamp\":\"2026-11-16T09:59:58Z\",\"window\":60,\"value\":\"42500m\",\"selector\":null},"
                + "{\"describedObject\":{\"kind\":\"Pod\",\"namespace\":\"ml\",\"name\":\"p2\",\"apiVersion\":\"v1\"},"
                + "\"metricName\":\"gpu_utilization\",\"timestamp\":\"2026-11-16T09:59:58Z\",\"window\":60,"
                + "\"value\":\"7\",\"selector\":null}]}");
  }

  @Test
  void theSecondVersionOfAValue() {
    book.objects = new Answer.Found<>(List.of(MadeUpBook.pod("p1", 42.5)));
    assertThat(
            get(CUSTOM + "v1beta2/namespaces/ml/pods/p1/m?metricLabelSelector=a+in+(c,b),!d")
                .bodyText())
        .isEqualTo(
            "{\"kind\":\"MetricValueList\",\"apiVersion\":\"custom.metrics.k8s.io/v1beta2\","
                + "\"metadata\":{},\"items\":[{\"describedObject\":{\"kind\":\"Pod\",\"namespace\":\"ml\","
                + "\"name\":\"p1\",\"apiVersion\":\"v1\"},\"metric\":{\"name\":\"m\",\"selector\":"
                + "{\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"In\",\"values\":[\"b\",\"c\"]},"
                + "{\"key\":\"d\",\"operator\":\"DoesNotExist\"}]}},"
                + "\"timestamp\":\"2026-11-16T09:59:58Z\",\"windowSeconds\":60,\"value\":\"42500m\"}]}");
  }

  @Test
  void anExternalValue() {
    book.series = new Answer.Found<>(List.of(MadeUpBook.line(3)));
    assertThat(get(EXTERNAL + "namespaces/ml/queue").bodyText())
        .isEqualTo(
            "{\"kind\":\"ExternalMetricValueList\",\"apiVersion\":\"external.metrics.k8s.io/v1beta1\","
                + "\"metadata\":{},\"items\":[{\"metricName\":\"queue\",\"metricLabels\":{\"a\":\"1\",\"b\":\"2\"},"
                + "\"timestamp\":\"2026-11-16T09:59:58Z\",\"value\":\"3\"}]}");
  }

  @Test
  void whatIsNoNumberIsLeftOutAndNeverZero() {
    book.objects =
        new Answer.Found<>(List.of(MadeUpBook.pod("p1", Double.NaN), MadeUpBook.pod("p2", 5)));
    assertThat(get(CUSTOM + "v1beta1/namespaces/ml/pods/*/m").bodyText())
        .contains("\"p2\"")
        .doesNotContain("\"p1\"", "NaN", "\"value\":\"0\"");
    book.objects = new Answer.Found<>(List.of(MadeUpBook.pod("p1", Double.NaN)));
    assertStatus(get(CUSTOM + "v1beta1/namespaces/ml/pods/*/m"), 404, "NotFound");
    book.series = new Answer.Found<>(List.of(MadeUpBook.line(Double.POSITIVE_INFINITY)));
    assertStatus(get(EXTERNAL + "namespaces/ml/m"), 404, "NotFound");
  }

  /** An autoscaler adds external values up. */
  @Test
  void ofExternalValuesAllAreToldOrNone() {
    book.series =
        new Answer.Found<>(List.of(MadeUpBook.line(5), MadeUpBook.line(Double.POSITIVE_INFINITY)));

    assertStatus(get(EXTERNAL + "namespaces/ml/queue"), 404, "NotFound");
  }

  @Test
  void hostileLabelsStayInsideTheirQuotes() {
    book.series =
        new Answer.Found<>(
            List.of(
                new dev.fallow.core.autoscale.MetricBook.OfSeries(
                    Map.of("a\"}", "</script>\n\u0000"), 1, NOW, java.time.Duration.ZERO)));
    assertThat(get(EXTERNAL + "namespaces/ml/m").bodyText())
        .contains("{\"a\\\"}\":\"</script>\\n\\u0000\"}");
  }

  @Test
  void discoveryListsWhatThereIs() {
    for (String version : List.of("v1beta1", "v1beta2")) {
      assertThat(get(CUSTOM + version).bodyText())
          .isEqualTo(
              "{\"kind\":\"APIResourceList\",\"apiVersion\":\"v1\",\"groupVersion\":\"custom.metrics.k8s.io/"
                  + version
                  + "\",\"resources\":["
                  + "{\"name\":\"pods/gpu_utilization\",\"singularName\":\"\",\"namespaced\":true,\"kind\":\"MetricValueList\",\"verbs\":[\"get\"]},"
                  + "{\"name\":\"deployments.apps/cuda_test_gpu_avg\",\"singularName\":\"\",\"namespaced\":true,\"kind\":\"MetricValueList\",\"verbs\":[\"get\"]},"
                  + "{\"name\":\"namespaces/gpu_utilization\",\"singularName\":\"\",\"namespaced\":false,\"kind\":\"MetricValueList\",\"verbs\":[\"get\"]}]}");
    }
    assertThat(get("/apis/external.metrics.k8s.io/v1beta1").bodyText())
        .contains("\"name\":\"avg_GPU_utilization\"", "\"kind\":\"ExternalMetricValueList\"");
    assertThat(reviewed).contains(new Access.OfPath("/apis/custom.metrics.k8s.io/v1beta2"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/apis",
        "/openapi/v2",
        "/openapi/v3",
        "/metrics",
        "/apis/custom.metrics.k8s.io",
        "/apis/custom.metrics.k8s.io/",
        "/apis/custom.metrics.k8s.io/v1",
        "/apis/custom.metrics.k8s.io/v1beta3/nodes/n/m",
        "/apis/external.metrics.k8s.io/v1beta2",
        "/apis/metrics.k8s.io/v1beta1/nodes",
        "/apis/custom.metrics.k8s.io/v1beta1/nodes/foo",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/ml/pods/bar",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/ml/metrics",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/ml/m",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/ml/pods/p/m/more",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces//pods/p/m",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/ml/pods/p/",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/ml/pods/p/a%2Fb",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/ml%252F/pods/p/m",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/ml/nodes/*/gpu_utilization",
        "/apis/custom.metrics.k8s.io/v1beta1/namespaces/ml/namespaces/other/gpu_utilization",
        "/apis/external.metrics.k8s.io/v1beta1/m",
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/ml",
        "/apis/external.metrics.k8s.io/v1beta1/namespaces/ml/m/x"
      })
  void pathsThatTheApisDoNotHaveAreNotFound(String path) {
    assertStatus(get(path), 404, "NotFound");
    assertThat(book.asked).isEmpty();
    assertThat(reviewed).isEmpty();
  }

  /** A registration that nobody answers behind stops every namespace from being deleted. */
  @Test
  void anApiThatIsSwitchedOffHasNothingInItAndIsThere() {
    book.series = new Answer.Found<>(List.of(new OfSeries(Map.of(), 1, NOW, Duration.ZERO)));
    groups = Set.of(MetricsGroup.CUSTOM);
    Reply discovery = get("/apis/external.metrics.k8s.io/v1beta1");
    assertThat(discovery.status()).isEqualTo(200);
    assertThat(discovery.bodyText()).endsWith("\"resources\":[]}");
    assertStatus(get(EXTERNAL + "namespaces/ml/m"), 404, "NotFound");
    assertThat(book.asked).isEmpty();

    groups = EnumSet.allOf(MetricsGroup.class);
    assertThat(get("/apis/external.metrics.k8s.io/v1beta1").bodyText()).contains("zebra");
    assertThat(get(EXTERNAL + "namespaces/ml/m").status()).isEqualTo(200);
  }

  @Test
  void aNumberThatIsNotThereIsNotFound() {
    assertStatus(get(CUSTOM + "v1beta1/namespaces/ml/pods/p/m"), 404, "NotFound");
    assertStatus(get(EXTERNAL + "namespaces/ml/m"), 404, "NotFound");
  }

  @Test
  void whileTheSourceIsAwayNothingIsSaid() {
    book.objects = new Answer.Away<>("Prometheus does not answer");
    book.series = new Answer.Away<>("Prometheus does not answer");
    assertStatus(get(CUSTOM + "v1beta2/namespaces/ml/pods/*/m"), 503, "ServiceUnavailable");
    assertStatus(get(EXTERNAL + "namespaces/ml/m"), 503, "ServiceUnavailable");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "labelSelector=a%3D%3D%3Db",
        "labelSelector=a,",
        "labelSelector=a%20in%20(",
        "metricLabelSelector=%3Db",
        "labelSelector=a&labelSelector=b",
        "labelSelector=a%00",
      })
  void aSelectorThatCannotBeReadIsRefused(String query) {
    book.objects = new Answer.Found<>(List.of(MadeUpBook.pod("p", 1)));
    String path = CUSTOM + "v1beta1/namespaces/ml/pods/*/m?" + query;
    if (query.contains("%00")) {
      // Taken off the wire already refused; the front says so.
      assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> get(path)))
          .isInstanceOf(dev.fallow.server.Rejected.class);
    } else {
      assertStatus(get(path), 400, "BadRequest");
    }
    assertThat(book.asked).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
  void theApisAreOnlyRead(String method) {
    Reply reply =
        ask(
            method,
            CUSTOM + "v1beta1/namespaces/ml/pods/p/m",
            Map.of("Authorization", "Bearer alice"));
    assertStatus(reply, 405, "MethodNotAllowed");
    assertThat(reply.headers().get("Allow")).isEqualTo("GET, HEAD");
    assertThat(book.asked).isEmpty();
  }

  @Test
  void whoIsNobodyIsRefusedBeforeAnybodyIsAsked() {
    String path = CUSTOM + "v1beta1/namespaces/ml/pods/p/m";
    for (Map<String, String> headers :
        List.<Map<String, String>>of(
            Map.of(),
            Map.of("Authorization", "Bearer forged"),
            Map.of("Authorization", "Basic YWxpY2U6"),
            Map.of("Authorization", "Bearer "),
            Map.of("X-Remote-User", "root", "X-Remote-Group", "system:masters"))) {
      assertStatus(ask("GET", path, headers), 401, "Unauthorized");
    }
    assertStatus(ask("GET", "/nowhere", Map.of()), 401, "Unauthorized");
    assertThat(reviewed).isEmpty();
    assertThat(book.asked).isEmpty();
  }

  @Test
  void whoMayNotIsToldWhat() {
    allowed = false;
    Reply reply = get(CUSTOM + "v1beta1/namespaces/ml/pods/*/gpu_utilization");
    assertStatus(reply, 403, "Forbidden");
    assertThat(reply.bodyText())
        .contains(
            "User \\\"alice\\\" may not get pods/gpu_utilization.custom.metrics.k8s.io in ml");
    assertThat(book.asked).isEmpty();
  }

  @Test
  void everybodyWhoIsKnownIsAmongTheAuthenticated() {
    get(CUSTOM + "v1beta1");
    assertThat(reviewedFor.getFirst().groups()).containsExactly("team", "system:authenticated");
  }

  @Test
  void theAnonymousAreNotAmongTheAuthenticated() {
    Subject anonymous =
        new Subject("system:anonymous", "", List.of("system:unauthenticated"), Map.of());
    assertThat(anonymous.signedIn()).isEqualTo(anonymous);
    Subject bare = new Subject("system:anonymous", "", List.of(), Map.of());
    assertThat(bare.signedIn().groups()).isEmpty();
  }

  @Test
  void mastersAreNotAskedAbout() {
    allowed = false;
    Reply reply = ask("GET", CUSTOM + "v1beta1", Map.of("Authorization", "Bearer root"));
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reviewed).isEmpty();
  }

  @Test
  void whereNobodyCanBeAskedNothingIsTold() {
    Reply reply = ask("GET", CUSTOM + "v1beta1", Map.of("Authorization", "Bearer outage"));
    assertStatus(reply, 503, "ServiceUnavailable");
  }

  @Test
  void healthIsTheOnlyThingThatIsOpen() {
    assertThat(ask("GET", "/healthz", Map.of()).status()).isEqualTo(200);
    assertThat(ask("GET", "/livez", Map.of()).status()).isEqualTo(200);
    assertThat(ask("GET", "/readyz", Map.of()).status()).isEqualTo(200);
    ready = false;
    assertThat(ask("GET", "/readyz", Map.of()).status()).isEqualTo(503);
    assertThat(ask("GET", "/livez", Map.of()).status()).isEqualTo(200);
  }

  @Test
  void namesWeDoNotKnowArePassedOnAndOursNever() {
    List<String> passed = new ArrayList<>();
    former =
        Optional.of((path, query) -> {
          passed.add(String.join("/", path) + query);
          return Reply.text(200, "theirs");
        });
    assertThat(
            get(CUSTOM + "v1beta1/namespaces/ml/pods/%2A/http_requests?labelSelector=a%3Db&x=y")
                .bodyText())
        .isEqualTo("theirs");
    assertThat(get(EXTERNAL + "namespaces/ml/queue_length").bodyText()).isEqualTo("theirs");
    assertThat(passed)
        .containsExactly(
            "apis/custom.metrics.k8s.io/v1beta1/namespaces/ml/pods/*/http_requests{labelSelector=a=b}",
            "apis/external.metrics.k8s.io/v1beta1/namespaces/ml/queue_length{}");
    assertStatus(get(CUSTOM + "v1beta1/namespaces/ml/pods/*/gpu_utilization"), 404, "NotFound");
    assertStatus(get(EXTERNAL + "namespaces/ml/avg_GPU_utilization"), 404, "NotFound");
    book.objects = new Answer.Away<>("Prometheus does not answer");
    assertStatus(
        get(CUSTOM + "v1beta1/namespaces/ml/pods/*/gpu_utilization"), 503, "ServiceUnavailable");
    assertThat(get(CUSTOM + "v1beta1/namespaces/ml/pods/*/http_requests").bodyText())
        .as("our outage is not theirs")
        .isEqualTo("theirs");
    allowed = false;
    assertStatus(get(EXTERNAL + "namespaces/ml/queue_length"), 403, "Forbidden");
    assertThat(passed).hasSize(3);
  }

  @Test
  void aRuleOfWhoeverHadTheApiBeforeGoesBeforeAFamilyOfItsName() {
    book.objects = new Answer.Found<>(List.of(MadeUpBook.pod("p", 1_234_567)));
    String rate = CUSTOM + "v1beta1/namespaces/ml/pods/*/http_requests_total";

    former = Optional.of((path, query) -> Reply.text(200, "3200m"));
    assertThat(get(rate).bodyText()).isEqualTo("3200m");
    former = Optional.of((path, query) -> Reply.text(404, "they have no such rule"));
    assertThat(get(rate).bodyText()).contains("1234567");
    former =
        Optional.of((path, query) -> {
          throw new Unavailable("metrics-api", "they do not answer", true);
        });
    assertStatus(get(rate), 503, "ServiceUnavailable");
    former =
        Optional.of((path, query) -> {
          throw new Unavailable("metrics-api", "nobody has let us ask them", false);
        });
    assertThat(get(rate).bodyText()).contains("1234567");
  }
}
