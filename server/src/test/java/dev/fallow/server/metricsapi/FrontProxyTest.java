package dev.fallow.server.metricsapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.server.Request;
import dev.fallow.server.certificate.Credential;
import dev.fallow.server.certificate.Pem;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrontProxyTest {

  private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");
  private static final Instant TOMORROW = NOW.plus(Duration.ofDays(1));
  private static final Instant YESTERDAY = NOW.minus(Duration.ofDays(1));
  private static final Credential AUTHORITY =
      Credential.authority("front-proxy-ca", NOW, Duration.ofDays(10));
  private static final Credential STRANGER =
      Credential.authority("front-proxy-ca", NOW, Duration.ofDays(10));
  private static final X509Certificate PROXY =
      AUTHORITY.client("front-proxy-client", YESTERDAY, TOMORROW).certificate();

  private static final Map<String, List<String>> HEADERS =
      Map.of(
          "x-remote-user", List.of("alice"),
          "X-Remote-Group", List.of("team-a", "team-b"),
          "X-Remote-Uid", List.of("u1"),
          "X-Remote-Extra-Example.org%2fScopes", List.of("read", "list"));

  private static Map<String, String> config(String... more) {
    Map<String, String> data = new HashMap<>();
    data.put("requestheader-client-ca-file", Pem.of(AUTHORITY.certificate()));
    data.put("requestheader-allowed-names", "[\"front-proxy-client\"]");
    data.put("requestheader-username-headers", "[\"X-Remote-User\"]");
    data.put("requestheader-group-headers", "[\"X-Remote-Group\"]");
    data.put("requestheader-extra-headers-prefix", "[\"X-Remote-Extra-\"]");
    for (int i = 0; i < more.length; i += 2) {
      data.put(more[i], more[i + 1]);
    }
    return data;
  }

  private static Optional<Subject> ask(FrontProxy proxy, Instant now, X509Certificate... peer) {
    return proxy.subject(
        Request.of("GET", URI.create("/apis"), HEADERS, List.of(peer), new byte[0]), now);
  }

  @Test
  void behindItsCertificateTheApiServerSpeaksForOthers() {
    assertThat(ask(FrontProxy.of(config()), NOW, PROXY))
        .contains(
            new Subject(
                "alice",
                "",
                List.of("team-a", "team-b"),
                Map.of("example.org/scopes", List.of("read", "list"))));
    assertThat(
            ask(
                FrontProxy.of(config("requestheader-uid-headers", "[\"X-Remote-Uid\"]")),
                NOW,
                PROXY))
        .hasValueSatisfying(who -> assertThat(who.uid()).isEqualTo("u1"));
  }

  @Test
  void withoutACertificateHeadersAreNothing() {
    assertThat(ask(FrontProxy.of(config()), NOW)).isEmpty();
  }

  @Test
  void anotherAuthoritysCertificateIsNothingEvenUnderTheSameNames() {
    FrontProxy proxy = FrontProxy.of(config());
    X509Certificate forged =
        STRANGER.client("front-proxy-client", YESTERDAY, TOMORROW).certificate();
    assertThat(ask(proxy, NOW, forged)).isEmpty();
    assertThat(ask(proxy, NOW, forged, AUTHORITY.certificate())).isEmpty();
    assertThat(ask(proxy, NOW, forged, PROXY)).isEmpty();
    assertThat(ask(proxy, NOW, PROXY)).isPresent();
    assertThat(ask(proxy, NOW, forged)).isEmpty();
  }

  @Test
  void onlyAllowedNamesCount() {
    X509Certificate other = AUTHORITY.client("kubelet", YESTERDAY, TOMORROW).certificate();
    assertThat(ask(FrontProxy.of(config()), NOW, other)).isEmpty();
    assertThat(ask(FrontProxy.of(config("requestheader-allowed-names", "[]")), NOW, other))
        .isPresent();
  }

  @Test
  void aCertificateCountsInItsTimeOnlyAlsoOnceItWasBelieved() {
    FrontProxy proxy = FrontProxy.of(config());
    assertThat(ask(proxy, NOW, PROXY)).isPresent();
    assertThat(ask(proxy, TOMORROW.plusSeconds(1), PROXY)).isEmpty();
    assertThat(ask(proxy, YESTERDAY.minusSeconds(1), PROXY)).isEmpty();
  }

  @Test
  void anEndedAuthoritySpeaksForNobody() {
    X509Certificate longLived =
        AUTHORITY
            .client("front-proxy-client", YESTERDAY, NOW.plus(Duration.ofDays(99)))
            .certificate();
    FrontProxy proxy = FrontProxy.of(config());
    assertThat(ask(proxy, NOW, longLived)).isPresent();
    assertThat(ask(proxy, NOW.plus(Duration.ofDays(11)), longLived)).isEmpty();
  }

  @Test
  void aServersCertificateCallsNobody() {
    X509Certificate server =
        AUTHORITY.server(List.of("front-proxy-client"), NOW, Duration.ofDays(1)).certificate();
    assertThat(ask(FrontProxy.of(config()), NOW, server)).isEmpty();
  }

  @Test
  void theAuthorityItselfIsNotTheProxy() {
    assertThat(
            ask(
                FrontProxy.of(config("requestheader-allowed-names", "[]")),
                NOW,
                AUTHORITY.certificate()))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "front-proxy-client", "{}", "[\"a\"", "[1]", "[null]"})
  void aConfigurationThatCannotBeReadTrustsNobody(String names) {
    assertThat(ask(FrontProxy.of(config("requestheader-allowed-names", names)), NOW, PROXY))
        .isEmpty();
  }

  @Test
  void withoutAnAuthorityThereIsNobodyToTrust() {
    FrontProxy none = FrontProxy.of(config("requestheader-client-ca-file", "none"));
    assertThat(none.trustsSomebody()).isFalse();
    assertThat(ask(none, NOW, PROXY)).isEmpty();
  }
}
