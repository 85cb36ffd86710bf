package dev.fallow.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.kubernetes.Reviews.Identity;
import dev.fallow.adapters.oidc.Client;
import dev.fallow.adapters.oidc.Issuer;
import dev.fallow.adapters.oidc.IssuerCalls;
import dev.fallow.app.log.Log;
import dev.fallow.app.settings.LogFormat;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Reply;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A browser, a server and an issuer, over real HTTP. */
class OidcSignInTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

  private final StubIssuer issuer = new StubIssuer(() -> NOON);
  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> jar = new LinkedHashMap<>();
  private final List<String> jarRules = new ArrayList<>();
  private final StringBuilder seen = new StringBuilder();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private Instant now = NOON;
  private boolean clusterTrusts = true;
  private HttpFront site;

  @BeforeEach
  void open() {
    Log.start(
        LogFormat.JSON, Level.ALL, Level.INFO, new PrintStream(log, true, StandardCharsets.UTF_8));
    site = site(signIn(issuer.name(), Optional.of(StubIssuer.SECRET), Duration.ofSeconds(20)));
  }

  @AfterEach
  void close() {
    site.stop(Duration.ZERO);
    issuer.close();
    http.shutdownNow();
  }

  private OidcSignIn signIn(String name, Optional<String> secret, Duration patience) {
    return new OidcSignIn(
        new Issuer(
            name,
            new Client(StubIssuer.CLIENT, secret, List.of("email")),
            new IssuerCalls(http, patience),
            () -> now),
        "http://127.0.0.1:8080/",
        StubIssuer.SECRET.getBytes(StandardCharsets.UTF_8),
        token -> clusterTrusts ? Optional.of(new Identity("alice", List.of())) : Optional.empty(),
        () -> now);
  }

  private static HttpFront site(OidcSignIn signIn) {
    List<Route> routes = new ArrayList<>(signIn.routes());
    routes.add(
        Route.get(
            "/whoami",
            request ->
                Reply.text(
                    200,
                    signIn.of(request).map(Identity::name).orElse("nobody")
                        + " by "
                        + signIn.by(request))));
    return HttpFront.start("127.0.0.1", 0, new Router(routes), defect -> {});
  }

  private HttpResponse<String> ask(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + site.port() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (!jar.isEmpty()) {
      request.header(
          "Cookie",
          jar.entrySet().stream()
              .map(one -> one.getKey() + "=" + one.getValue())
              .collect(Collectors.joining("; ")));
    }
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    HttpResponse<String> answer =
        http.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
    seen.append(answer.body());
    for (String cookie : answer.headers().allValues("Set-Cookie")) {
      String[] both = cookie.split(";", 2)[0].split("=", 2);
      jarRules.add(cookie);
      if (cookie.contains("Max-Age=0")) {
        jar.remove(both[0]);
      } else {
        jar.put(both[0], both[1]);
      }
    }
    return answer;
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return ask("GET", path);
  }

  private String who() throws IOException, InterruptedException {
    return get("/whoami").body();
  }

  private static URI location(HttpResponse<String> answer) {
    return URI.create(answer.headers().firstValue("Location").orElse("none"));
  }

  /** Where somebody is sent who has signed in, with the state they were given. */
  private String back(HttpResponse<String> sent) {
    URI place = location(sent);
    return "/auth/callback?code="
        + issuer.signsIn(place)
        + "&state="
        + StubIssuer.fields(place.getRawQuery()).get("state");
  }

  @Test
  void whoSignsInAtTheIssuerIsKnownHere() throws Exception {
    assertThat(who()).isEqualTo("nobody by oidc");
    HttpResponse<String> sent = get("/auth/login?return=%2Fworkloads%2Fml%2FJob%2Fa%253Fb%3Fx%3D1");
    assertThat(sent.statusCode()).isEqualTo(303);
    HttpResponse<String> home = get(back(sent));
    assertThat(home.statusCode()).isEqualTo(303);
    assertThat(location(home)).isEqualTo(URI.create("/workloads/ml/Job/a%3Fb?x=1"));
    assertThat(who()).isEqualTo("alice by oidc");
    assertThat(jar).containsOnlyKeys("fallow-session");
  }

  @Test
  void aSessionEndsWithItsToken() throws Exception {
    get(back(get("/auth/login")));
    now = NOON.plus(Duration.ofMinutes(59));
    assertThat(who()).startsWith("alice");
    now = NOON.plus(Duration.ofHours(1));
    assertThat(who()).startsWith("nobody");
  }

  @Test
  void oneCanSignOutAndAForeignPageCannotDoItForOne() throws Exception {
    get(back(get("/auth/login")));
    assertThat(ask("DELETE", "/api/v1/session").statusCode()).isEqualTo(403);
    assertThat(who()).startsWith("alice");
    assertThat(ask("DELETE", "/api/v1/session", "X-Requested-With", "fallow").statusCode())
        .isEqualTo(204);
    assertThat(who()).startsWith("nobody");
  }

  @Test
  void aTokenThatIsSentGoesBeforeTheSession() throws Exception {
    get(back(get("/auth/login")));
    assertThat(ask("GET", "/whoami", "Authorization", "Bearer x.y.z").body())
        .isEqualTo("alice by token");
  }

  @Test
  void cookiesAreOutOfReachOfScriptsAndOtherSites() throws Exception {
    get(back(get("/auth/login")));
    assertThat(jarRules).allMatch(rule -> rule.contains("; Path=/; HttpOnly; SameSite="));
    assertThat(jarRules)
        .filteredOn(rule -> rule.startsWith("fallow-session="))
        .singleElement()
        .asString()
        .contains("SameSite=Strict")
        .contains("Max-Age=3600");
  }

  @Test
  void anotherReplicaUnderstandsTheSession() throws Exception {
    get(back(get("/auth/login")));
    HttpFront first = site;
    site = site(signIn(issuer.name(), Optional.of(StubIssuer.SECRET), Duration.ofSeconds(20)));
    first.stop(Duration.ZERO);
    assertThat(who()).startsWith("alice");
  }

  @Test
  void aClientWithoutASecretIsProvenByTheVerifierAlone() throws Exception {
    issuer.isPublic = true;
    site.stop(Duration.ZERO);
    site = site(signIn(issuer.name(), Optional.empty(), Duration.ofSeconds(20)));
    get(back(get("/auth/login")));
    assertThat(who()).startsWith("alice");
  }

  @Test
  void anAnswerWithAnotherStateIsRefused() throws Exception {
    String back = back(get("/auth/login"));
    assertThat(get(back.replaceFirst("state=.", "state=")).statusCode()).isEqualTo(400);
    assertThat(jar).isEmpty();
  }

  @Test
  void anAnswerThatABrowserDidNotAskForIsRefused() throws Exception {
    String back = back(get("/auth/login"));
    jar.clear();
    assertThat(get(back).statusCode()).isEqualTo(400);
    assertThat(jar).isEmpty();
  }

  @Test
  void anAnswerThatNamesAnotherIssuerIsRefused() throws Exception {
    assertThat(get(back(get("/auth/login")) + "&iss=https%3A%2F%2Fevil.example").statusCode())
        .isEqualTo(400);
    assertThat(jar).isEmpty();
  }

  @Test
  void aSignInThatTookTooLongBeginsAgain() throws Exception {
    String back = back(get("/auth/login"));
    now = NOON.plus(Duration.ofMinutes(11));
    assertThat(get(back).statusCode()).isEqualTo(400);
  }

  @Test
  void aCodeWorksOnce() throws Exception {
    HttpResponse<String> sent = get("/auth/login");
    Map<String, String> kept = new LinkedHashMap<>(jar);
    String back = back(sent);
    assertThat(get(back).statusCode()).isEqualTo(303);
    jar.clear();
    jar.putAll(kept);
    assertThat(get(back).statusCode()).isEqualTo(403);
    assertThat(jar).isEmpty();
  }

  @Test
  void aCodeOfAnotherSignInIsRefused() throws Exception {
    String others = back(get("/auth/login"));
    String code = others.substring(0, others.indexOf('&'));
    String own = back(get("/auth/login"));
    assertThat(get(code + own.substring(own.indexOf('&'))).statusCode()).isEqualTo(403);
    assertThat(jar).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "nonce=another",
        "nonce=",
        "aud=somebody-else",
        "iss=https://evil.example",
        "azp=somebody-else",
        "exp=soon"
      })
  void aTokenThatWasNotMadeForThisSignInIsRefused(String claim) throws Exception {
    String[] both = claim.split("=", 2);
    issuer.odd.put(both[0], both[1]);
    HttpResponse<String> answer = get(back(get("/auth/login")));
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("127.0.0.1 gave a token");
    assertThat(jar).isEmpty();
  }

  @Test
  void aTokenForSeveralHasToNameUsAsItsHolder() throws Exception {
    issuer.odd.put("aud", List.of(StubIssuer.CLIENT, "another"));
    assertThat(get(back(get("/auth/login"))).statusCode()).isEqualTo(403);
    issuer.odd.put("azp", StubIssuer.CLIENT);
    assertThat(get(back(get("/auth/login"))).statusCode()).isEqualTo(303);
  }

  @Test
  void aTokenWhoseTimeIsOverIsRefused() throws Exception {
    issuer.odd.put("exp", NOON.getEpochSecond());
    assertThat(get(back(get("/auth/login"))).body()).contains("time is over");
    assertThat(jar).isEmpty();
  }

  @Test
  void aClusterThatDoesNotTrustTheIssuerIsSaidSoWithTheCure() throws Exception {
    clusterTrusts = false;
    HttpResponse<String> answer = get(back(get("/auth/login")));
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("--oidc-issuer-url=" + issuer.name());
    assertThat(jar).isEmpty();
  }

  @Test
  void whoSaysNoIsNotSignedIn() throws Exception {
    String state = StubIssuer.fields(location(get("/auth/login")).getRawQuery()).get("state");
    HttpResponse<String> answer =
        get("/auth/callback?error=access_denied&error_description=%3Cb%3E&state=" + state);
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("said no").doesNotContain("<b>");
    assertThat(jar).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "///evil.example",
        "javascript:alert(1)",
        "evil.example",
        "/auth/login",
        "/api/v1/session",
        "/<script>",
        ""
      })
  void nobodyIsSentElsewhereAfterwards(String place) throws Exception {
    assertThat(OidcSignIn.isOwnPlace(place)).isFalse();
    String encoded = java.net.URLEncoder.encode(place, StandardCharsets.UTF_8);
    HttpResponse<String> sent = get("/auth/login?return=" + encoded);
    if (sent.statusCode() == 303) {
      assertThat(location(get(back(sent)))).isEqualTo(URI.create("/"));
    } else {
      assertThat(sent.statusCode()).isEqualTo(400);
    }
  }

  @Test
  void anIssuerThatCallsItselfOtherwiseIsNotBelieved() throws Exception {
    issuer.ownName = "https://evil.example";
    HttpResponse<String> answer = get("/auth/login");
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("--dashboard-oidc-issuer");
    assertThat(jar).isEmpty();
  }

  @Test
  void anIssuerThatHangsIsNotWaitedForForEverNorAskedByEverybody() throws Exception {
    issuer.hangs = true;
    site.stop(Duration.ZERO);
    site = site(signIn(issuer.name(), Optional.of(StubIssuer.SECRET), Duration.ofMillis(300)));
    for (int i = 0; i < 5; i++) {
      HttpResponse<String> answer = get("/auth/login");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("did not answer within 300 ms");
    }
    assertThat(issuer.asked).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"huge", "[]", "{", "{}{}", "<html>"})
  void anAnswerThatIsNoneIsRefused(String answers) throws Exception {
    issuer.answersWith = answers.equals("huge") ? " ".repeat(300_000) + "{}" : answers;
    assertThat(get("/auth/login").statusCode()).isEqualTo(503);
  }

  @Test
  void endpointsThatLeaveThisMachineHaveToBeHttps() throws Exception {
    issuer.answersWith =
        "{\"issuer\":\"%s\",\"authorization_endpoint\":\"http://evil.example/a\",\"token_endpoint\":\"%s/token\"}"
            .formatted(issuer.name(), issuer.name());
    assertThat(get("/auth/login").body()).contains("authorization_endpoint").contains("https");
  }

  @Test
  void aTokenTooLargeForCookiesIsSaidSo() throws Exception {
    issuer.odd.put("groups", "g".repeat(9_000));
    HttpResponse<String> answer = get(back(get("/auth/login")));
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("fewer groups");
    assertThat(jar).isEmpty();
  }

  @Test
  void aLongTokenIsKeptInSeveralCookies() throws Exception {
    issuer.odd.put("groups", "g".repeat(5_000));
    get(back(get("/auth/login")));
    assertThat(jar)
        .hasSizeGreaterThan(1)
        .allSatisfy((name, value) -> assertThat(value).hasSizeLessThan(3_900));
    assertThat(who()).startsWith("alice");
  }

  @Test
  void secretsAreInNoPageNoCookieAndNoLog() throws Exception {
    get(back(get("/auth/login")));
    clusterTrusts = false;
    get(back(get("/auth/login")));
    issuer.odd.put("nonce", "another");
    get(back(get("/auth/login")));
    String cookies = String.join("\n", jarRules);
    assertThat(issuer.secrets).hasSizeGreaterThan(8);
    for (String secret : issuer.secrets) {
      assertThat(seen.toString()).doesNotContain(secret);
      assertThat(cookies).doesNotContain(secret);
      assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain(secret);
    }
  }
}
