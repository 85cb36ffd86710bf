package dev.fallow.app.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.kubernetes.Reviews.Identity;
import dev.fallow.app.WrongUse;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.access.Guard;
import dev.fallow.server.certificate.Credential;
import dev.fallow.server.certificate.Pem;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A proxy and others who say they are it, over real TLS. */
class CertifiedProxyTest {

  private static final Instant NOW = Instant.now();
  private static final char[] NO_PASSWORD = {};
  private static final Duration AT_ONCE = Duration.ofMillis(20);

  private final Credential authority = Credential.authority("proxies", NOW, Duration.ofDays(1));
  private final Credential stranger = Credential.authority("proxies", NOW, Duration.ofDays(1));
  private Credential server = Credential.authority("servers", NOW, Duration.ofDays(1));

  @TempDir Path folder;

  private ServingFiles files;
  private HttpFront front;

  @BeforeEach
  void open() throws IOException {
    Files.writeString(folder.resolve("ca.crt"), Pem.of(authority.certificate()));
    serve(server);
    files = ServingFiles.open(folder.resolve("tls.crt"), folder.resolve("tls.key"), true, AT_ONCE);
    ProxyNames names =
        ProxyNames.byCertificate(
            new ProxyAuthority(folder.resolve("ca.crt"), List.of("front"), AT_ONCE),
            Clock.systemUTC());
    Guard guard = new Guard(new ByName(names));
    front =
        HttpFront.start(
            "127.0.0.1",
            0,
            files.keys(),
            new Router(
                List.of(
                    Route.of(
                        "POST",
                        "/change",
                        request -> {
                          Caller caller = guard.meant(request);
                          return Reply.text(200, caller.name() + " " + caller.groups());
                        }))),
            defect -> {});
  }

  @AfterEach
  void close() {
    front.stop(Duration.ZERO);
    files.close();
  }

  private void serve(Credential by) throws IOException {
    Credential serving = by.server(List.of("localhost"), NOW, Duration.ofDays(1));
    Files.writeString(folder.resolve("tls.crt"), Pem.of(serving.certificate()));
    Files.writeString(folder.resolve("tls.key"), Pem.of(serving.key()));
  }

  /** Believes the names, and lets everybody who has one do everything. */
  private record ByName(ProxyNames names) implements Door {
    @Override
    public Caller caller(Request request) {
      return names
          .of(request)
          .map(one -> new Caller(one.name(), one.groups(), "proxy", true))
          .orElse(Caller.NOBODY);
    }

    @Override
    public boolean sees(Caller caller, String namespace) {
      return true;
    }

    @Override
    public boolean changes(Caller caller, String namespace, String kind, String name) {
      return true;
    }

    @Override
    public List<String> signIn() {
      return names.signIn();
    }

    @Override
    public String cure() {
      return names.cure();
    }
  }

  private HttpResponse<String> ask(Optional<Credential> own, String... headers) throws Exception {
    KeyStore trust = KeyStore.getInstance(KeyStore.getDefaultType());
    trust.load(null, null);
    trust.setCertificateEntry("it", server.certificate());
    TrustManagerFactory trusting =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trusting.init(trust);
    KeyStore mine = KeyStore.getInstance(KeyStore.getDefaultType());
    mine.load(null, null);
    if (own.isPresent()) {
      mine.setKeyEntry(
          "me", own.get().key(), NO_PASSWORD, new X509Certificate[] {own.get().certificate()});
    }
    KeyManagerFactory showing =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    showing.init(mine, NO_PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(showing.getKeyManagers(), trusting.getTrustManagers(), null);
    try (HttpClient client = HttpClient.newBuilder().sslContext(context).build()) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create("https://localhost:" + front.port() + "/change"))
              .header("X-Requested-With", "fallow")
              .POST(HttpRequest.BodyPublishers.noBody());
      for (int i = 0; i < headers.length; i += 2) {
        request.header(headers[i], headers[i + 1]);
      }
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  private HttpResponse<String> asAlice(Optional<Credential> own) throws Exception {
    return ask(own, "X-Forwarded-User", "alice", "X-Forwarded-Groups", "ml, ops");
  }

  private static Optional<Credential> shown(Credential by, String name) {
    return Optional.of(by.client(name, NOW.minusSeconds(60), NOW.plusSeconds(3600)));
  }

  @Test
  void whomTheProxyNamesIsWhoAsks() throws Exception {
    assertThat(asAlice(shown(authority, "front")).body())
        .isEqualTo("alice [ml, ops, system:authenticated]");
  }

  @Test
  void headersWithoutTheProxysCertificateAreNothing() throws Exception {
    assertThat(asAlice(Optional.empty()).statusCode()).isEqualTo(401);
    assertThat(asAlice(shown(stranger, "front")).statusCode()).isEqualTo(401);
    assertThat(asAlice(shown(authority, "somebody")).statusCode()).isEqualTo(401);
    Credential over = authority.client("front", NOW.minusSeconds(7200), NOW.minusSeconds(60));
    assertThat(asAlice(Optional.of(over)).statusCode()).isEqualTo(401);
    assertThat(
            asAlice(Optional.of(authority.server(List.of("front"), NOW, Duration.ofDays(1))))
                .statusCode())
        .isEqualTo(401);
  }

  @Test
  void theProxyItselfIsNobody() throws Exception {
    Optional<Credential> proxy = shown(authority, "front");
    assertThat(ask(proxy).statusCode()).isEqualTo(401);
    assertThat(ask(proxy, "X-Forwarded-User", " ").statusCode()).isEqualTo(401);
  }

  @Test
  void whoIsNamedTwiceIsNobody() throws Exception {
    assertThat(
            ask(
                    shown(authority, "front"),
                    "X-Forwarded-User",
                    "mallory",
                    "X-Forwarded-User",
                    "alice")
                .statusCode())
        .isEqualTo(401);
  }

  @Test
  void anAuthorityThatIsTakenAwayIsTrustedNoMore() throws Exception {
    Optional<Credential> proxy = shown(authority, "front");
    assertThat(asAlice(proxy).statusCode()).isEqualTo(200);
    Files.writeString(folder.resolve("ca.crt"), Pem.of(stranger.certificate()));
    Awaitility.await().until(() -> asAlice(proxy).statusCode() == 401);
    assertThat(asAlice(shown(stranger, "front")).statusCode()).isEqualTo(200);
    Files.writeString(folder.resolve("ca.crt"), "");
    Awaitility.await().until(() -> asAlice(shown(stranger, "front")).statusCode() == 401);
  }

  @Test
  void aNewCertificateIsShownAndHalfOfOneIsNot() throws Exception {
    Credential first = server;
    Credential next = Credential.authority("next", NOW, Duration.ofDays(1));
    Credential serving = next.server(List.of("localhost"), NOW, Duration.ofDays(1));
    Files.writeString(folder.resolve("tls.crt"), Pem.of(serving.certificate()));
    assertThat(asAlice(shown(authority, "front")).statusCode()).isEqualTo(200);
    Files.writeString(folder.resolve("tls.key"), Pem.of(serving.key()));
    server = next;
    Awaitility.await()
        .ignoreExceptionsInstanceOf(SSLException.class)
        .until(() -> asAlice(shown(authority, "front")).statusCode() == 200);
    server = first;
    assertThatThrownBy(() -> asAlice(Optional.empty())).isInstanceOf(SSLException.class);
  }

  @Test
  void filesThatDoNotServeAreRefusedAtTheStart() throws Exception {
    Path key = folder.resolve("other.key");
    Files.writeString(key, Pem.of(authority.key()));
    assertThatThrownBy(() -> ServingFiles.open(folder.resolve("tls.crt"), key, false))
        .isInstanceOf(WrongUse.class)
        .hasMessageContaining("is not that of");
    Files.writeString(
        key, "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n");
    assertThatThrownBy(() -> ServingFiles.open(folder.resolve("tls.crt"), key, false))
        .isInstanceOf(WrongUse.class)
        .hasMessageContaining("PKCS #8");
    assertThatThrownBy(() -> new ProxyAuthority(folder.resolve("tls.key"), List.of("front")))
        .isInstanceOf(WrongUse.class);
  }

  @Test
  void aSharedSecretProvesTheProxyWithoutTls() {
    ProxyNames names = ProxyNames.bySecret("a-long-enough-secret");
    assertThat(names.of(plain("a-long-enough-secret")).map(Identity::name)).contains("alice");
    assertThat(names.of(plain("another"))).isEmpty();
    assertThat(names.token(plain("another"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "system:admin",
        " system:kube-controller-manager",
        "system:serviceaccount:kube-system:default",
        "ali\tce",
        "ali\u0085ce"
      })
  void whoIsCalledLikeAPartOfTheClusterIsNobody(String name) {
    assertThat(ProxyNames.bySecret("s").of(plain("s", name, "ml"))).isEmpty();
  }

  @Test
  void theClustersOwnGroupsAreNotTheProxysToGive() {
    ProxyNames names = ProxyNames.bySecret("s");
    assertThat(
            names
                .of(plain("s", "alice", "system:masters, ml,system:authenticated,system:nodes"))
                .map(Identity::groups))
        .contains(List.of("ml", "system:authenticated"));
    assertThat(names.of(plain("s", "alice", "ml\tops"))).isEmpty();
  }

  private static Request plain(String secret) {
    return plain(secret, "alice", "");
  }

  private static Request plain(String secret, String user, String groups) {
    return Request.of(
        "GET",
        URI.create("/"),
        Map.of(
            "X-Forwarded-User",
            user,
            "X-Forwarded-Groups",
            groups,
            "X-Fallow-Proxy-Secret",
            secret),
        new byte[0]);
  }
}
