package dev.fallow.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GzipTest {

  private static final String LARGE = "{\"kind\":\"Pod\",\"name\":\"x\"},".repeat(500);

  private static Reply told(String text, Map<String, String> headers) {
    Request request = Request.of("GET", URI.create("/"), headers, new byte[0]);
    return Gzip.fitting(request, Reply.text(200, text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZIP", "br, gzip", "gzip;q=0.5", "deflate;q=1, gzip; q=0.1"})
  void aLargeAnswerIsSmallForWhoTakesItSo(String accepted) throws IOException {
    Reply reply = told(LARGE, Map.of("accept-encoding", accepted));
    assertThat(reply.headers())
        .containsEntry("Content-Encoding", "gzip")
        .containsEntry("Vary", "Accept-Encoding")
        .containsKey("Cache-Control");
    assertThat(reply.body().length()).isLessThan(LARGE.length() / 20);
    try (GZIPInputStream in =
        new GZIPInputStream(new ByteArrayInputStream(reply.body().joined()))) {
      assertThat(in).hasContent(LARGE);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity", "gzip;q=0", "gzip; q=0.00", "x-gzip", "*;q=0"})
  void whoDoesNotTakeItSoGetsItAsItIs(String accepted) {
    Reply reply = told(LARGE, Map.of("Accept-Encoding", accepted));
    assertThat(reply.bodyText()).isEqualTo(LARGE);
    assertThat(reply.headers()).doesNotContainKey("Content-Encoding");
    assertThat(told(LARGE, Map.of()).bodyText()).isEqualTo(LARGE);
  }

  @Test
  void aSmallAnswerIsNotWorthIt() {
    assertThat(told("ok", Map.of("Accept-Encoding", "gzip")).bodyText()).isEqualTo("ok");
  }
}
