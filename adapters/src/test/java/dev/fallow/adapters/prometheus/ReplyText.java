package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.prometheus.StubPrometheus.StubReply;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** Replies made of parts, good and bad. */
final class ReplyText {

  static final long NOW = BadReply.AT.getEpochSecond();
  static final String UTIL = "\"__name__\":\"DCGM_FI_DEV_GPU_UTIL\"";

  private ReplyText() {}

  static StubReply json(String text) {
    return StubReply.json(text);
  }

  static StubReply redirect(String location) {
    return StubReply.bytes(302, Map.of("Location", location), new byte[0]);
  }

  static String answer(String series) {
    return success(data("matrix", series));
  }

  static String start() {
    return "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[";
  }

  static String success(String data) {
    return "{\"status\":\"success\",\"data\":" + data + "}";
  }

  static String data(String type, String result) {
    return "{\"resultType\":\"" + type + "\",\"result\":[" + result + "]}";
  }

  static String series(String samples) {
    return "{\"metric\":{" + UTIL + "},\"values\":[" + samples + "]}";
  }

  static String series(String samples, String label, String value) {
    String more = ",\"" + label + "\":\"" + value + "\"";
    return "{\"metric\":{" + UTIL + more + "},\"values\":[" + samples + "]}";
  }

  static String sample(int seconds, String value) {
    return "[" + (NOW + seconds) + ",\"" + value + "\"]";
  }

  static String manyLabels(int count) {
    StringBuilder labels = new StringBuilder(UTIL);
    for (int i = 0; i < count; i++) {
      labels.append(",\"l").append(i).append("\":\"x\"");
    }
    return labels.toString();
  }

  /** Repeats something, numbered, until nobody listens or a gigabyte went out. */
  static StubReply endless(int status, String first, String repeated) {
    return new StubReply(
        status,
        Map.of("Content-Type", "application/json"),
        0,
        out -> {
          try {
            out.write(first.getBytes(StandardCharsets.UTF_8));
            long written = 0;
            for (int i = 0; written < 1L << 30; i++) {
              byte[] one = repeated.replace("%d", "" + i).getBytes(StandardCharsets.UTF_8);
              out.write(one);
              written += one.length;
            }
          } catch (IOException nobodyListens) {
            // That is the point.
          }
        });
  }

  static StubReply gzip(String first, int zeros) {
    return StubReply.bytes(
        200,
        Map.of("Content-Type", "application/json", "Content-Encoding", "gzip"),
        gzipped(first, zeros));
  }

  static StubReply cutGzip() {
    byte[] whole = gzipped("{\"status\":\"success\",\"x\":[" + "1,".repeat(5000), 1000);
    byte[] half = Arrays.copyOf(whole, whole.length / 2);
    return StubReply.bytes(
        200, Map.of("Content-Type", "application/json", "Content-Encoding", "gzip"), half);
  }

  static byte[] gzipped(String first, int zeros) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write(first.getBytes(StandardCharsets.UTF_8));
      byte[] block = new byte[1 << 16];
      Arrays.fill(block, (byte) ' ');
      for (int left = zeros; left > 0; left -= block.length) {
        out.write(block, 0, Math.min(left, block.length));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
