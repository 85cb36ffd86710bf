package dev.fallow.bench;

import dev.fallow.rig.RigPrometheus;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;

/** The queries that Prometheus answered and how large its answers were. */
record Queries(long count, double bytes) {

  static Queries of(RigPrometheus prometheus) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      List<String> lines =
          http.send(
                  HttpRequest.newBuilder(prometheus.url().resolve("/metrics")).build(),
                  HttpResponse.BodyHandlers.ofString())
              .body()
              .lines()
              .filter(line -> line.contains("{handler=\"/api/v1/query\""))
              .toList();
      return new Queries(
          (long) sum(lines, "prometheus_http_response_size_bytes_count"),
          sum(lines, "prometheus_http_response_size_bytes_sum"));
    }
  }

  private static double sum(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  Queries since(Queries before) {
    return new Queries(count - before.count, bytes - before.bytes);
  }
}
