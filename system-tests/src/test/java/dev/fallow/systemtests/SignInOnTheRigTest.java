package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.app.web.StubIssuer;
import dev.fallow.rig.Json;
import dev.fallow.rig.Part;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.server.ServingKeys;
import dev.fallow.server.certificate.Credential;
import dev.fallow.server.certificate.Pem;
import dev.fallow.systemtests.faults.FallowProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Signing in where a true API server trusts the issuer: it alone says who somebody is and what they
 * may do.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class SignInOnTheRigTest {

  private static final String TRAINER = "/apis/apps/v1/namespaces/ml/deployments/trainer";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir static Path folder;

  private static StubIssuer issuer;
  private static Rig rig;
  private static RigPrometheus prometheus;
  private static FallowProcess daemon;

  /** The browser's cookies. */
  private final Map<String, String> jar = new HashMap<>();

  @BeforeAll
  static void start() throws IOException {
    Instant now = Instant.now();
    Credential authority = Credential.authority("issuers", now, Duration.ofDays(1));
    Path trusted = Files.writeString(folder.resolve("ca.crt"), Pem.of(authority.certificate()));
    ServingKeys keys = new ServingKeys(false);
    keys.show(authority.server(List.of("localhost"), now, Duration.ofDays(1)));
    issuer = new StubIssuer(InstantSource.system(), keys);
    rig =
        Rig.builder()
            .flag(Part.API_SERVER, "--oidc-issuer-url=" + issuer.name())
            .flag(Part.API_SERVER, "--oidc-client-id=" + StubIssuer.CLIENT)
            .flag(Part.API_SERVER, "--oidc-ca-file=" + trusted)
            .flag(Part.API_SERVER, "--oidc-username-prefix=corp:")
            .flag(Part.API_SERVER, "--oidc-groups-claim=groups")
            .flag(Part.API_SERVER, "--oidc-groups-prefix=corp:")
            .start();
    Path account = ShippedAccount.in(rig);
    LiveFleet fleet = new LiveFleet(rig);
    fleet.pod(fleet.deployment("ml", "trainer", 2), LiveFleet::idle);
    fleet.pod(fleet.deployment("other", "server", 2), LiveFleet::busy);
    grant("look", "list", "pods");
    grant("keep", "update", "deployments.apps");
    prometheus = RigPrometheus.builder().backfill(fleet.samples(folder)).start();
    daemon =
        FallowProcess.daemon(
                folder,
                "daemon",
                Map.of(),
                DaemonWords.of(
                    account,
                    prometheus,
                    folder.resolve("ledger.db"),
                    "--lease-namespace",
                    "fallow-system",
                    "--dashboard-url",
                    "http://127.0.0.1",
                    "--dashboard-oidc-issuer",
                    issuer.name(),
                    "--dashboard-oidc-client-id",
                    StubIssuer.CLIENT,
                    "--dashboard-oidc-client-secret-file",
                    Files.writeString(folder.resolve("secret"), StubIssuer.SECRET).toString(),
                    "--dashboard-oidc-ca-file",
                    trusted.toString()),
                "0.0.0.0")
            .awaitUp()
            .awaitCycles(2);
  }

  private static void grant(String name, String verb, String resource) {
    rig.kubectl("create", "role", name, "-n", "ml", "--verb=" + verb, "--resource=" + resource);
    rig.kubectl(
        "create", "rolebinding", name, "-n", "ml", "--role=" + name, "--group=corp:trainers");
  }

  @AfterAll
  static void stop() {
    if (daemon != null) {
      daemon.close();
    }
    if (rig != null) {
      rig.close();
    }
    if (prometheus != null) {
      prometheus.close();
    }
    if (issuer != null) {
      issuer.close();
    }
  }

  @BeforeEach
  void nobody() {
    issuer.odd.clear();
    issuer.signsWrongly = false;
  }

  private HttpResponse<String> ask(String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + daemon.port() + path))
            .timeout(Duration.ofSeconds(30))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .header("Content-Type", "application/json")
            .header("X-Requested-With", "fallow");
    if (!jar.isEmpty()) {
      request.header(
          "Cookie",
          jar.entrySet().stream()
              .map(one -> one.getKey() + "=" + one.getValue())
              .collect(Collectors.joining("; ")));
    }
    try {
      HttpResponse<String> answer =
          HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
      for (String cookie : answer.headers().allValues("Set-Cookie")) {
        String[] both = cookie.split(";", 2)[0].split("=", 2);
        jar.put(both[0], both[1]);
        if (cookie.contains("Max-Age=0")) {
          jar.remove(both[0]);
        }
      }
      return answer;
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Goes to the issuer's page and comes back. */
  private HttpResponse<String> signIn() {
    HttpResponse<String> begun = ask("GET", "/auth/login", "");
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(303);
    URI sent = URI.create(begun.headers().firstValue("Location").orElseThrow());
    String state = StubIssuer.fields(sent.getRawQuery()).get("state");
    return ask("GET", "/auth/callback?code=" + issuer.signsIn(sent) + "&state=" + state, "");
  }

  /** The API server asks a new issuer for its keys when it likes to, some seconds late. */
  private void signInOnceTrusted() {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(signIn().statusCode()).isEqualTo(303));
  }

  @Test
  void whoTheIssuerNamesMayDoWhatTheirGroupMay() {
    issuer.odd.put("groups", List.of("trainers"));
    signInOnceTrusted();
    assertThat(ask("GET", "/api/v1/workloads", "").body())
        .contains("Deployment/ml/trainer")
        .doesNotContain("Deployment/other/server");
    assertThat(
            ask("POST", "/api/v1/workloads/ml/Deployment/trainer/keep", "{\"hours\":8}")
                .statusCode())
        .isEqualTo(200);
    Json annotations = rig.admin().get(TRAINER).orThrow().json().at("metadata", "annotations");
    assertThat(annotations.at("fallow.dev/kept-by").text()).isEqualTo("corp:alice");
    assertThat(
            ask("POST", "/api/v1/workloads/other/Deployment/server/keep", "{\"hours\":8}")
                .statusCode())
        .isEqualTo(404);

    assertThat(ask("DELETE", "/api/v1/session", "").statusCode()).isEqualTo(204);
    assertThat(ask("GET", "/api/v1/workloads", "").statusCode()).isEqualTo(401);
  }

  @Test
  void whoIsInNoGroupSeesNothing() {
    signInOnceTrusted();
    assertThat(Json.parse(ask("GET", "/api/v1/workloads", "").body()).at("items").items())
        .isEmpty();
  }

  @Test
  void aTokenThatTheIssuerDidNotSignIsNobodys() {
    signInOnceTrusted();
    jar.clear();
    issuer.signsWrongly = true;
    issuer.odd.put("groups", List.of("system:masters"));
    HttpResponse<String> answer = signIn();
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("--oidc-issuer-url=" + issuer.name());
    assertThat(ask("GET", "/api/v1/workloads", "").statusCode()).isEqualTo(401);
  }
}
