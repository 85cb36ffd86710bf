package dev.fallow.systemtests;

import dev.fallow.server.certificate.Credential;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Asks a server behind the API server directly, over connections that stay open. */
final class DirectCaller implements AutoCloseable {

  private static final char[] NO_PASSWORD = {};

  private final HttpClient http;
  private final URI server;

  private DirectCaller(HttpClient http, URI server) {
    this.http = http;
    this.server = server;
  }

  /**
   * @param trusted whose certificates the server may show
   * @param shown the certificate to show
   */
  static DirectCaller of(URI server, List<X509Certificate> trusted, Optional<Credential> shown) {
    try {
      KeyStore authorities = KeyStore.getInstance(KeyStore.getDefaultType());
      authorities.load(null, null);
      for (X509Certificate one : trusted) {
        authorities.setCertificateEntry(one.getSerialNumber().toString(), one);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(authorities);
      KeyStore own = KeyStore.getInstance(KeyStore.getDefaultType());
      own.load(null, null);
      if (shown.isPresent()) {
        own.setKeyEntry(
            "own",
            shown.get().key(),
            NO_PASSWORD,
            new X509Certificate[] {shown.get().certificate()});
      }
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return new DirectCaller(
          HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(context).build(),
          server);
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  HttpResponse<String> get(String path, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(server.resolve(path)).timeout(Duration.ofSeconds(20));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    try {
      return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
