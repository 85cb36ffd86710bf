package dev.fallow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.server.certificate.CommonName;
import dev.fallow.server.certificate.Credential;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** TLS as callers meet it: with a certificate, without one, and while ours changes. */
class SecureFrontTest {

  private static final Instant NOW = Instant.now();
  private static final char[] NO_PASSWORD = {};

  private final Credential first = Credential.authority("first", NOW, Duration.ofDays(1));
  private final Credential second = Credential.authority("second", NOW, Duration.ofDays(1));
  private final ServingKeys keys = new ServingKeys();
  private final HttpFront front =
      HttpFront.startSecure(
          "127.0.0.1",
          0,
          keys,
          request ->
              Reply.text(
                  200,
                  request.peer().stream().findFirst().flatMap(CommonName::of).orElse("nobody")
                      + request.headerAll("x-remote-group")),
          defect -> {});

  @AfterEach
  void stop() {
    front.stop(Duration.ZERO);
  }

  private static Credential serving(Credential authority) {
    return authority.server(List.of("localhost"), NOW, Duration.ofDays(1));
  }

  private String ask(X509Certificate trusted, Optional<Credential> own) throws Exception {
    KeyStore trust = KeyStore.getInstance(KeyStore.getDefaultType());
    trust.load(null, null);
    trust.setCertificateEntry("it", trusted);
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
      return client
          .send(
              HttpRequest.newBuilder(URI.create("https://localhost:" + front.port() + "/"))
                  .header("X-Remote-Group", "a")
                  .header("X-Remote-Group", "b")
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  @Test
  void aCallerMayShowACertificateOrNone() throws Exception {
    keys.show(serving(first));
    assertThat(ask(first.certificate(), Optional.empty())).isEqualTo("nobody[a, b]");
    Credential caller = second.client("somebody", NOW.minusSeconds(60), NOW.plusSeconds(60));
    assertThat(ask(first.certificate(), Optional.of(caller))).isEqualTo("somebody[a, b]");
  }

  @Test
  void theNextHandshakeShowsTheNewCertificate() throws Exception {
    assertThat(keys.present()).isFalse();
    assertThatThrownBy(() -> ask(first.certificate(), Optional.empty()))
        .isInstanceOf(java.io.IOException.class);
    keys.show(serving(first));
    assertThat(ask(first.certificate(), Optional.empty())).startsWith("nobody");
    keys.show(serving(second));
    assertThat(ask(second.certificate(), Optional.empty())).startsWith("nobody");
    assertThatThrownBy(() -> ask(first.certificate(), Optional.empty()))
        .isInstanceOf(SSLException.class);
  }
}
