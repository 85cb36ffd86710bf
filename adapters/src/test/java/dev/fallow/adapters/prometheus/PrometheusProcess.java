package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.PublishedSeries;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** A real Prometheus whose past was written by promtool from given series. */
final class PrometheusProcess implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Process process;
  private final String url;

  private PrometheusProcess(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  String url() {
    return url;
  }

  static PrometheusProcess with(List<PublishedSeries> series, Path folder, String... flags)
      throws IOException, InterruptedException {
    Path samples = Files.writeString(folder.resolve("samples.om"), openMetrics(series));
    Path config = Files.writeString(folder.resolve("prometheus.yml"), "scrape_configs: []\n");
    Path data = folder.resolve("data");
    Path log = folder.resolve("prometheus.log");
    if (!series.isEmpty()) {
      run(
          log,
          List.of(
              "promtool", "tsdb", "create-blocks-from", "openmetrics", "" + samples, "" + data));
    }
    int port = freePort();
    List<String> command =
        new ArrayList<>(
            List.of(
                "prometheus",
                "--config.file=" + config,
                "--storage.tsdb.path=" + data,
                "--storage.tsdb.retention.time=100y",
                "--web.listen-address=127.0.0.1:" + port));
    command.addAll(List.of(flags));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    PrometheusProcess started = new PrometheusProcess(process, "http://127.0.0.1:" + port);
    try {
      Awaitility.await("Prometheus is ready, see " + log).atMost(LIMIT).until(started::ready);
      return started;
    } catch (RuntimeException e) {
      started.close();
      throw e;
    }
  }

  private static void run(Path log, List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + Files.readString(log));
    }
  }

  private boolean ready() {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/-/ready")).build();
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** A TSDB has one series per set of labels, and its samples in the order of time. */
  private static String openMetrics(List<PublishedSeries> all) {
    Map<String, Map<Long, Double>> bySeries = new TreeMap<>();
    for (PublishedSeries series : all) {
      Map<Long, Double> samples =
          bySeries.computeIfAbsent(selector(series), name -> new TreeMap<>());
      series.samples().forEach(sample -> samples.put(sample.millis(), sample.value()));
    }
    StringBuilder text = new StringBuilder();
    bySeries.forEach((name, samples) ->
        samples.forEach((millis, value) ->
            text.append(name)
                .append(' ')
                .append(value.toString().replace("Infinity", "Inf"))
                .append(' ')
                .append(millis / 1000)
                .append('.')
                .append(String.format("%03d", millis % 1000))
                .append('\n')));
    return text.append("# EOF\n").toString();
  }

  private static String selector(PublishedSeries series) {
    StringBuilder text = new StringBuilder(series.metric()).append('{');
    new TreeMap<>(series.labels())
        .forEach((name, value) ->
            text.append(name)
                .append("=\"")
                .append(value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n"))
                .append("\","));
    return text.append('}').toString().replace(",}", "}");
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
