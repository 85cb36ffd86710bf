package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.fallow.adapters.prometheus.PrometheusAccess.Tls;
import dev.fallow.core.Unavailable;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Usage;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which servers are believed to be whom they say. */
class TlsTest {

  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir static Path folder;

  private static HttpsServer server;
  private static Path certificate;

  @BeforeAll
  static void serveWithACertificateForLocalhostOnly() throws Exception {
    Path store = folder.resolve("store.p12");
    certificate = folder.resolve("server.pem");
    keytool(
        List.of("-genkeypair", "-alias", "server", "-keyalg", "EC", "-dname", "CN=localhost"),
        List.of("-ext", "san=dns:localhost", "-validity", "30", "-storetype", "PKCS12"),
        store);
    keytool(
        List.of("-exportcert", "-alias", "server", "-rfc"),
        List.of("-file", certificate.toString()),
        store);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context(store)));
    server.createContext(
        "/",
        exchange -> {
          byte[] body =
              "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  @Test
  void anUnknownAuthorityIsNotTrusted() {
    assertThat(failure(access("https", "localhost")))
        .contains("authority", "--prometheus-tls-cert");
  }

  @Test
  void aCertificateOfOurOwnIsTrusted() {
    assertThat(read(access("https", "localhost").withTls(Tls.VERIFY, Optional.of(certificate))))
        .isInstanceOf(Usage.Complete.class);
  }

  @Test
  void anotherHostNameIsNotTrustedThoughTheCertificateIs() {
    assertThat(failure(access("https", "127.0.0.1").withTls(Tls.VERIFY, Optional.of(certificate))))
        .contains("another host name");
  }

  @Test
  void skippingTheCheckTakesAnyCertificateOfAnyHost() {
    assertThat(read(access("https", "127.0.0.1").withTls(Tls.SKIP, Optional.empty())))
        .isInstanceOf(Usage.Complete.class);
  }

  @Test
  void httpsToAPortThatSpeaksHttpIsSaidSo() throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> answerPlainly(plain));
      assertThat(failure(PrometheusAccess.of("https://127.0.0.1:" + plain.getLocalPort())))
          .contains("http instead of https");
    }
  }

  private static void answerPlainly(ServerSocket plain) {
    try (Socket client = plain.accept()) {
      client.getInputStream().read(new byte[64]);
      client
          .getOutputStream()
          .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      client.getInputStream().readAllBytes();
    } catch (IOException closed) {
      // The other side has heard enough.
    }
  }

  @Test
  void aCertificateFileThatHoldsNoneIsNamed() throws Exception {
    Path empty = Files.writeString(folder.resolve("empty.pem"), "");
    Path junk = Files.writeString(folder.resolve("junk.pem"), "-----BEGIN CERTIFICATE-----\nx\n");

    for (Path file : List.of(empty, junk, folder.resolve("absent.pem"))) {
      PrometheusAccess access = access("https", "localhost").withTls(Tls.VERIFY, Optional.of(file));
      assertThatThrownBy(() -> new HttpTransport(access))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining(file.toString());
    }
  }

  private static PrometheusAccess access(String scheme, String host) {
    return PrometheusAccess.of(scheme + "://" + host + ":" + server.getAddress().getPort());
  }

  private static Usage read(PrometheusAccess access) {
    try (PrometheusUsageSource source =
        new PrometheusUsageSource(access, Set.of(Signal.GPU_UTIL))) {
      return source.read(Instant.parse("2026-11-02T12:00:00Z"), Duration.ofMinutes(30));
    }
  }

  private static String failure(PrometheusAccess access) {
    Usage usage = read(access);
    assertThat(usage).isInstanceOf(Usage.Missing.class);
    return ((Usage.Missing) usage).failure();
  }

  private static SSLContext context(Path store) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }

  private static void keytool(List<String> what, List<String> more, Path store) throws Exception {
    Path tool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    List<String> command = new ArrayList<>(List.of(tool.toString()));
    command.addAll(what);
    command.addAll(more);
    command.addAll(List.of("-keystore", store.toString(), "-storepass", new String(PASSWORD)));
    Path log = folder.resolve("keytool.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    assertThat(process.waitFor()).as(() -> "keytool, see " + log).isZero();
  }
}
