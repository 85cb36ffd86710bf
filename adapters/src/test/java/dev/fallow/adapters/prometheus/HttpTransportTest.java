package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.prometheus.StubPrometheus.StubReply;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Usage;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How Prometheus is reached, and what is said when it is not. */
@Timeout(30)
class HttpTransportTest {

  private static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");
  private static final String EMPTY =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";

  @Test
  void theTokenIsSentToALoopbackAddress() {
    try (StubPrometheus stub = new StubPrometheus(asked -> StubReply.json(EMPTY))) {
      PrometheusAccess access =
          PrometheusAccess.of(stub.url()).withToken(BearerToken.fixed(" s3cret\n"));

      assertThat(read(access)).isInstanceOf(Usage.Complete.class);
      assertThat(stub.asked().getFirst().headers())
          .containsEntry("Authorization", "Bearer s3cret")
          .doesNotContainKey("Accept-encoding");
    }
  }

  @Test
  void aUserInTheAddressIsBasicAuthenticationAndIsNeverShown() {
    try (StubPrometheus stub = new StubPrometheus(asked -> StubReply.of(401, "text/plain", ""))) {
      String url = stub.url().replace("http://", "http://me:s3cret@");
      PrometheusAccess access = PrometheusAccess.of(url);

      assertThat(failure(access)).contains(stub.url()).doesNotContain("s3cret");
      assertThat(access.toString()).doesNotContain("s3cret");
      assertThat(stub.asked().getFirst().headers())
          .containsEntry("Authorization", "Basic bWU6czNjcmV0");
    }
  }

  @Test
  void aTokenIsNotSentOverPlainHttpToAHostOutside() {
    PrometheusAccess access =
        PrometheusAccess.of("http://prometheus.example:9090")
            .withToken(BearerToken.fixed("s3cret"));

    assertThat(failure(access))
        .contains("http://prometheus.example:9090", "https", "--prometheus-token-anywhere")
        .doesNotContain("s3cret");
  }

  @Test
  void thePathPrefixStaysInFront() {
    try (StubPrometheus stub = new StubPrometheus(asked -> StubReply.json(EMPTY))) {
      read(PrometheusAccess.of(stub.url() + "/prometheus/"));

      assertThat(stub.asked().getFirst().path()).isEqualTo("/prometheus/api/v1/query");
    }
  }

  @Test
  void gzipIsReadAlsoWhereItWasNotAskedFor() {
    Map<String, String> headers =
        Map.of("Content-Type", "application/json", "Content-Encoding", "gzip");
    try (StubPrometheus stub =
        new StubPrometheus(
            asked -> StubReply.bytes(200, headers, ReplyText.gzipped(EMPTY, 1000)))) {
      assertThat(read(PrometheusAccess.of(stub.url()))).isInstanceOf(Usage.Complete.class);
    }
  }

  @Test
  void aClosedPortIsSaidToRefuse() throws IOException {
    assertThat(failure(PrometheusAccess.of("http://127.0.0.1:" + closedPort())))
        .contains("refused", "check the port");
  }

  @Test
  void anUnknownHostIsSaidToBeUnknown() {
    assertThat(failure(PrometheusAccess.of("http://no-such-host.invalid:9090")))
        .contains("host name is unknown", "http://no-such-host.invalid:9090");
  }

  @Test
  void aServerThatNeverAnswersIsWaitedForOnlySoLong() {
    CountDownLatch over = new CountDownLatch(1);
    try (StubPrometheus stub =
        new StubPrometheus(asked -> {
          await(over);
          return StubReply.json(EMPTY);
        })) {
      assertThat(failure(hasty(stub.url()))).contains("did not answer within 300 ms");
      over.countDown();
    }
  }

  @Test
  void aServerThatStopsInTheMiddleIsWaitedForOnlySoLong() {
    CountDownLatch over = new CountDownLatch(1);
    try (StubPrometheus stub =
        new StubPrometheus(asked ->
            new StubReply(
                200,
                Map.of("Content-Type", "application/json"),
                0,
                out -> {
                  out.write("{\"status\":".getBytes(StandardCharsets.UTF_8));
                  out.flush();
                  await(over);
                }))) {
      assertThat(failure(hasty(stub.url()))).contains("time allowed", "--prometheus-timeout");
      over.countDown();
    }
  }

  @Test
  void aServerThatDripsForEverIsWaitedForOnlySoLong() {
    try (StubPrometheus stub =
        new StubPrometheus(asked ->
            new StubReply(
                200, Map.of("Content-Type", "application/json"), 0, HttpTransportTest::drip))) {
      assertThat(failure(hasty(stub.url()))).contains("time allowed");
    }
  }

  @Test
  void somethingThatIsNoWebServerIsSaidToBeNone() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual().start(() -> greet(server));
      assertThat(failure(PrometheusAccess.of("http://127.0.0.1:" + server.getLocalPort())))
          .contains("as a web server does");
    }
  }

  @Test
  void anInterruptedReadEndsAndStaysInterrupted() {
    CountDownLatch over = new CountDownLatch(1);
    try (StubPrometheus stub =
        new StubPrometheus(asked -> {
          await(over);
          return StubReply.json(EMPTY);
        })) {
      Thread.currentThread().interrupt();
      assertThat(failure(PrometheusAccess.of(stub.url()))).contains("ending");
      assertThat(Thread.interrupted()).isTrue();
      over.countDown();
    }
  }

  private static PrometheusAccess hasty(String url) {
    return PrometheusAccess.of(url).withTimeouts(Duration.ofSeconds(5), Duration.ofMillis(300));
  }

  private static Usage read(PrometheusAccess access) {
    try (PrometheusUsageSource source =
        new PrometheusUsageSource(access, Set.of(Signal.GPU_UTIL))) {
      return source.read(AT, Duration.ofMinutes(30));
    }
  }

  private static String failure(PrometheusAccess access) {
    Usage usage = read(access);
    assertThat(usage).isInstanceOf(Usage.Missing.class);
    return ((Usage.Missing) usage).failure();
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void greet(ServerSocket server) {
    try (var client = server.accept()) {
      client.getOutputStream().write("220 mail ready\r\n\r\n".getBytes(StandardCharsets.UTF_8));
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private static void drip(OutputStream out) {
    try {
      while (true) {
        out.write(' ');
        out.flush();
        Thread.onSpinWait();
      }
    } catch (IOException nobodyListens) {
      // That is the point.
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
