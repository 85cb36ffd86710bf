package dev.fallow.systemtests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.fallow.server.certificate.Credential;
import dev.fallow.server.certificate.Pem;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** HTTPS in front of a server that speaks none, under a certificate of an authority of its own. */
final class TlsDoor implements AutoCloseable {

  private static final char[] PASSWORD = "changeit".toCharArray();

  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpsServer server;
  private final URI behind;
  private final Credential authority =
      Credential.authority("door", Instant.now(), Duration.ofHours(2));

  TlsDoor(URI behind) throws IOException, GeneralSecurityException {
    this.behind = behind;
    this.server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            context(authority.server(List.of("localhost"), Instant.now(), Duration.ofHours(1)))));
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::pass);
    server.start();
  }

  /** By the name that the certificate has. */
  String url() {
    return "https://localhost:" + server.getAddress().getPort();
  }

  /** What has to be trusted. */
  Path authorityIn(Path folder) throws IOException {
    return Files.writeString(folder.resolve("door.pem"), Pem.of(authority.certificate()));
  }

  private void pass(HttpExchange exchange) throws IOException {
    try (exchange) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(behind.resolve(exchange.getRequestURI()))
              .method(
                  exchange.getRequestMethod(),
                  HttpRequest.BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
      String type = exchange.getRequestHeaders().getFirst("Content-Type");
      if (type != null) {
        request.header("Content-Type", type);
      }
      HttpResponse<InputStream> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
      exchange.sendResponseHeaders(answer.statusCode(), 0);
      answer.body().transferTo(exchange.getResponseBody());
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }

  private static SSLContext context(Credential credential) throws GeneralSecurityException {
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, PASSWORD);
      keys.setKeyEntry(
          "server", credential.key(), PASSWORD, new X509Certificate[] {credential.certificate()});
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      return context;
    } catch (IOException impossible) {
      throw new AssertionError("an empty store is not read", impossible);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    client.shutdownNow();
  }
}
