package dev.fallow.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("rig")
class RigPrometheusTest {
  private static final Instant PAST = Instant.parse("2021-06-01T00:00:00Z");

  @TempDir Path folder;

  @Test
  void backfilledPastAnswersQueriesAlsoAfterAKill() throws IOException {
    Path file = Files.writeString(folder.resolve("past.om"), openMetrics());

    try (RigPrometheus prometheus = RigPrometheus.builder().backfill(file).start()) {
      assertThat(peak(prometheus)).isEqualTo("59");

      prometheus.process().kill();
      prometheus.process().start();

      assertThat(peak(prometheus)).isEqualTo("59");
    }
  }

  @Test
  void targetsAreScraped() throws IOException {
    HttpServer exporter = HttpServer.create(new InetSocketAddress(loopback(), 0), 0);
    exporter.createContext(
        "/metrics",
        exchange -> {
          byte[] body = "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 42\n".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    exporter.start();
    String target = "127.0.0.1:" + exporter.getAddress().getPort();
    try (RigPrometheus prometheus =
        RigPrometheus.builder().scrape("dcgm", Duration.ofMillis(200), target).start()) {
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() ->
              assertThat(prometheus.query("DCGM_FI_DEV_GPU_UTIL", Instant.now()))
                  .extracting(RigPrometheusTest::value)
                  .containsExactly("42"));
    } finally {
      exporter.stop(0);
    }
  }

  private static String peak(RigPrometheus prometheus) {
    List<Json> result =
        prometheus.query(
            "max_over_time(DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"}[1h])", PAST.plus(Duration.ofHours(1)));
    assertThat(result).hasSize(1);
    return value(result.getFirst());
  }

  private static String value(Json sample) {
    return sample.at("value").items().get(1).text();
  }

  private static InetAddress loopback() {
    return InetAddress.getLoopbackAddress();
  }

  /** One sample a minute for an hour, with values from 0 to 59. */
  private static String openMetrics() {
    StringBuilder text = new StringBuilder("# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n");
    for (int minute = 0; minute < 60; minute++) {
      long second = PAST.plus(Duration.ofMinutes(minute)).getEpochSecond();
      text.append("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} %d %d\n".formatted(minute, second));
    }
    return text.append("# EOF\n").toString();
  }
}
