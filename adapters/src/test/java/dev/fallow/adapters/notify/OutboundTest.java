package dev.fallow.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.notify.StubSite.Reply;
import dev.fallow.core.Unavailable;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The way out: proxies of the environment, and whom to trust. */
@Timeout(120)
class OutboundTest {

  private static final String TUNNEL = "HTTP/1.1 200 Connection established\r\n\r\n";

  @TempDir static Path folder;
  private static TestCertificates certificates;

  @BeforeAll
  static void makeAKey() throws Exception {
    certificates = TestCertificates.in(folder);
  }

  @Test
  void httpsGoesThroughATunnelOfTheProxy() throws Exception {
    try (StubSite slack = new StubSite(certificates.context(), asked -> Reply.of(200, "ok"));
        ConnectProxy proxy = new ConnectProxy(slack.port(), TUNNEL)) {
      assertThat(posted(Map.of("HTTPS_PROXY", proxy.url()), "https://slack.test/CANARY"))
          .isInstanceOf(Delivery.Confirmed.class);
      assertThat(proxy.asked()).containsExactly("CONNECT slack.test:443 HTTP/1.1");
      assertThat(slack.asked()).hasSize(1);
    }
  }

  @Test
  void whatNoProxyNamesIsNotAskedForThroughTheProxy() throws Exception {
    try (StubSite slack = new StubSite(certificates.context(), asked -> Reply.of(200, "ok"));
        ConnectProxy proxy = new ConnectProxy(slack.port(), TUNNEL)) {
      assertThat(
              posted(
                  Map.of("HTTPS_PROXY", proxy.url(), "NO_PROXY", "localhost, .test"),
                  "https://slack.test/CANARY"))
          .isInstanceOf(Delivery.Failed.class);
      assertThat(proxy.asked()).isEmpty();
    }
  }

  @Test
  void aProxyThatRefusesOrAsksForCredentialsIsNoConfirmation() throws Exception {
    for (String answer :
        new String[] {
          "HTTP/1.1 407 Who are you\r\n"
              + "Proxy-Authenticate: Basic realm=x\r\n"
              + "Content-Length: 0\r\n\r\n",
          "HTTP/1.1 403 No CANARY\r\nContent-Length: 0\r\n\r\n",
          "HTTP/1.1 502 Bad\r\nContent-Length: 0\r\n\r\n"
        }) {
      try (StubSite slack = new StubSite(certificates.context(), asked -> Reply.of(200, "ok"));
          ConnectProxy proxy = new ConnectProxy(slack.port(), answer)) {
        assertThat(posted(Map.of("HTTPS_PROXY", proxy.url()), "https://slack.test/CANARY"))
            .isInstanceOf(Delivery.Failed.class);
        assertThat(slack.asked()).isEmpty();
      }
    }
  }

  @Test
  void anAuthorityOfOurOwnIsTrustedIfItIsNamedAndOnlyThen() {
    try (StubSite site = new StubSite(certificates.context(), asked -> Reply.of(200, "ok"))) {
      String url = "https://localhost:" + site.port() + "/CANARY";

      assertThat(posted(Map.of(), url)).isInstanceOf(Delivery.Confirmed.class);
      assertThat(posted(Network.of(Map.of(), Optional.empty()), url))
          .isInstanceOfSatisfying(
              Delivery.Failed.class,
              failed -> assertThat(failed.sentence()).contains("not trusted", "authority"));
    }
  }

  @Test
  void aCertificateOfAnotherHostIsNotTrusted() {
    try (StubSite site = new StubSite(certificates.context(), asked -> Reply.of(200, "ok"))) {
      assertThat(posted(Map.of(), "https://127.0.0.1:" + site.port() + "/CANARY"))
          .isInstanceOf(Delivery.Failed.class);
      assertThat(site.asked()).isEmpty();
    }
  }

  @Test
  void aFileWithoutCertificatesIsNamed() {
    Path absent = folder.resolve("absent.pem");

    assertThatThrownBy(() -> new Outbound(Network.of(Map.of(), Optional.of(absent))))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining(absent.toString());
  }

  @Test
  void aProxyThatCannotBeReadIsNamedWithoutItsPassword() {
    for (String bad : new String[] {"ht tp://me:CANARY@x", "socks5://me:CANARY@x:1", "http://"}) {
      Network network = Network.of(Map.of("HTTPS_PROXY", bad), Optional.empty());
      assertThatThrownBy(() -> new Outbound(network))
          .isInstanceOf(IllegalArgumentException.class)
          .hasNoCause()
          .hasMessageContaining("HTTPS_PROXY")
          .hasMessageNotContaining("CANARY");
      assertThat(network.toString()).doesNotContain("CANARY");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "https://slack.com/x | secure.example:3128",
        "wss://wss-primary.slack.com/x | secure.example:3128",
        "http://alerts.example/x | plain.example:80",
        "https://localhost/x | direct",
        "http://127.0.0.9:8080/x | direct",
        "https://[::1]/x | direct",
        "https://in.corp.example/x | direct",
        "https://corp.example/x | direct",
        "https://notcorp.example/x | secure.example:3128",
        "https://a.only-sub.example/x | direct",
        "https://only-sub.example/x | secure.example:3128",
        "https://10.1.2.3/x | direct",
        "https://11.1.2.3/x | secure.example:3128",
        "https://192.168.7.1/x | direct",
        "https://192.168.7.129/x | secure.example:3128",
        "https://[fd00::1]/x | direct",
        "https://ported.example:8443/x | direct",
        "https://ported.example/x | secure.example:3128"
      })
  void eachAddressGetsItsProxy(String url, String way) {
    EnvironmentProxies proxies =
        new EnvironmentProxies(
            Map.of(
                "HTTPS_PROXY", "http://ignored.example:1",
                "https_proxy", "secure.example:3128",
                "HTTP_PROXY", "http://plain.example",
                "NO_PROXY",
                    "corp.example, .only-sub.example,10.0.0.0/8 192.168.7.0/25,fd00::/8,"
                        + "ported.example:8443"));

    Proxy proxy = proxies.select(URI.create(url)).getFirst();
    String shown =
        proxy.address() instanceof InetSocketAddress address
            ? address.getHostString() + ":" + address.getPort()
            : "direct";
    assertThat(shown).isEqualTo(way);
  }

  @Test
  void noProxyForAnythingIsAStar() {
    EnvironmentProxies proxies =
        new EnvironmentProxies(Map.of("HTTPS_PROXY", "http://p:1", "no_proxy", "*"));

    assertThat(proxies.select(URI.create("https://slack.com"))).containsExactly(Proxy.NO_PROXY);
  }

  private static Delivery posted(Map<String, String> environment, String url) {
    return posted(Network.of(environment, Optional.of(certificates.certificate())), url);
  }

  private static Delivery posted(Network network, String url) {
    try (Outbound outbound = new Outbound(network)) {
      Delivery delivery =
          new SlackWebhook(outbound, InstantSource.fixed(Hostile.NOON), Secret.of(url), "#ml-team")
              .deliver(new Address("slack", "#ml-team"), Hostile.good());
      assertThat(delivery.toString()).doesNotContain("CANARY");
      return delivery;
    }
  }
}
