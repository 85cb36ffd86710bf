package dev.fallow.bench;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;

/**
 * Hands samples to a Prometheus that was started with {@code --web.enable-remote-write-receiver}.
 * Protobuf by hand, in a Snappy envelope that compresses nothing.
 */
final class RemoteWrite {

  private static final int LITERAL_OF_FOUR_BYTES_LENGTH = 63 << 2;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI receiver;
  private final ByteArrayOutputStream request = new ByteArrayOutputStream();
  private final ByteArrayOutputStream series = new ByteArrayOutputStream();

  RemoteWrite(URI prometheus) {
    this.receiver = prometheus.resolve("/api/v1/write");
  }

  /** The labels of a series as they are sent; Prometheus wants them in the order of their names. */
  static byte[] labels(SortedMap<String, String> labels) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    labels.forEach((name, value) -> {
      ByteArrayOutputStream one = new ByteArrayOutputStream();
      bytes(one, 1, name.getBytes(StandardCharsets.UTF_8));
      bytes(one, 2, value.getBytes(StandardCharsets.UTF_8));
      bytes(all, 1, one.toByteArray());
    });
    return all.toByteArray();
  }

  /** Begins a series. */
  void series(byte[] labels) {
    endSeries();
    series.writeBytes(labels);
  }

  /** Of the series that was begun last, later than those before it. */
  void sample(long millis, double value) {
    ByteArrayOutputStream sample = new ByteArrayOutputStream(20);
    sample.write(1 << 3 | 1);
    littleEndian(sample, Double.doubleToLongBits(value), 8);
    sample.write(2 << 3);
    varint(sample, millis);
    bytes(series, 2, sample.toByteArray());
  }

  /** All that was begun since the last time. */
  void send() throws IOException, InterruptedException {
    endSeries();
    if (request.size() == 0) {
      return;
    }
    ByteArrayOutputStream envelope = new ByteArrayOutputStream(request.size() + 16);
    varint(envelope, request.size());
    envelope.write(LITERAL_OF_FOUR_BYTES_LENGTH);
    littleEndian(envelope, request.size() - 1L, 4);
    request.writeTo(envelope);
    request.reset();
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(receiver)
                .header("Content-Type", "application/x-protobuf")
                .header("Content-Encoding", "snappy")
                .POST(HttpRequest.BodyPublishers.ofByteArray(envelope.toByteArray()))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IOException("Prometheus does not take samples: " + answer.body().strip());
    }
  }

  private void endSeries() {
    if (series.size() > 0) {
      bytes(request, 1, series.toByteArray());
      series.reset();
    }
  }

  private static void bytes(ByteArrayOutputStream out, int field, byte[] content) {
    out.write(field << 3 | 2);
    varint(out, content.length);
    out.writeBytes(content);
  }

  private static void varint(ByteArrayOutputStream out, long number) {
    long rest = number;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) (rest & 0x7F | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private static void littleEndian(ByteArrayOutputStream out, long number, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (number >>> 8 * i));
    }
  }
}
