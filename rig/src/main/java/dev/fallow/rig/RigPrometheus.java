package dev.fallow.rig;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A real Prometheus, with a past that was written for it, with targets to scrape, or both. It
 * stands on its own: no cluster is needed.
 *
 * <pre>{@code
 * try (RigPrometheus prometheus = RigPrometheus.builder().backfill(file).start()) {
 *   prometheus.query("max(DCGM_FI_DEV_GPU_UTIL)", at);
 * }
 * }</pre>
 */
public final class RigPrometheus implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final RigFolder folder;
  private final RigProcess process;
  private final HttpClient http;

  private RigPrometheus(RigFolder folder, HttpClient http, List<String> flags) {
    this.folder = folder;
    this.http = http;
    this.process =
        new RigProcess(
            "prometheus",
            folder.log("prometheus"),
            port -> command(folder, port, flags),
            new HttpProbe(http, "http", "/-/ready"));
  }

  public static Builder builder() {
    return new Builder();
  }

  private static List<String> command(RigFolder folder, int port, List<String> flags) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "prometheus",
                "--config.file=" + folder.file("prometheus.yml"),
                "--storage.tsdb.path=" + folder.file("data"),
                // Samples may be of any date: none is too old.
                "--storage.tsdb.retention.time=100y",
                // Blocks stay as they were written: no compaction runs into what tests measure.
                "--storage.tsdb.min-block-duration=2h",
                "--storage.tsdb.max-block-duration=2h",
                "--web.listen-address=127.0.0.1:" + port,
                "--web.enable-lifecycle"));
    command.addAll(flags);
    return command;
  }

  /** The base address, such as {@code http://127.0.0.1:9090}. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + process.port());
  }

  /** The server, to stop, kill, freeze or start again. */
  public RigProcess process() {
    return process;
  }

  /** The folder of this Prometheus, with its data and its log. */
  public Path folder() {
    return folder.path();
  }

  /** The result list of an instant query. */
  public List<Json> query(String promql, Instant at) {
    String path =
        "/api/v1/query?query=%s&time=%d"
            .formatted(URLEncoder.encode(promql, StandardCharsets.UTF_8), at.getEpochSecond());
    HttpRequest request = HttpRequest.newBuilder(url().resolve(path)).timeout(LIMIT).build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      return new ApiResponse(response.statusCode(), response.body())
          .orThrow()
          .json()
          .at("data", "result")
          .items();
    } catch (IOException e) {
      throw new RigException("Prometheus does not answer", e);
    } catch (InterruptedException e) {
      throw Poll.interrupted(e);
    }
  }

  /** Makes the folder with the log outlive the process. */
  public void keepFiles() {
    folder.keep();
  }

  @Override
  public void close() {
    if (process.died()) {
      folder.keep();
      System.err.println("Prometheus died on its own\n" + folder.report());
    }
    process.kill();
    http.shutdownNow();
    folder.release();
  }

  /** Says what Prometheus knows and scrapes; without further words, nothing. */
  public static final class Builder {
    private final List<Path> backfills = new ArrayList<>();
    private final List<Path> blocks = new ArrayList<>();
    private final List<String> flags = new ArrayList<>();
    private final StringBuilder scrapes = new StringBuilder();

    private Builder() {}

    /** Writes a past from a file in OpenMetrics format, which must end with {@code # EOF}. */
    public Builder backfill(Path openMetricsFile) {
      backfills.add(openMetricsFile);
      return this;
    }

    /** Begins with a copy of the blocks in this folder, which stays as it is. */
    public Builder blocks(Path folderOfBlocks) {
      blocks.add(folderOfBlocks);
      return this;
    }

    /** Scrapes {@code /metrics} of these {@code host:port} targets; labels stay as exported. */
    public Builder scrape(String job, Duration interval, String... targets) {
      scrapes.append(
          """
          - job_name: %1$s
            scrape_interval: %2$dms
            scrape_timeout: %2$dms
            honor_labels: true
            static_configs:
            - targets: [%3$s]
          """
              .formatted(job, interval.toMillis(), quoted(targets)));
      return this;
    }

    /** More scrape configurations, as a YAML list that starts at the line's beginning. */
    public Builder scrapeConfig(String yamlList) {
      scrapes.append(yamlList.stripTrailing()).append('\n');
      return this;
    }

    /** One more flag for the server, such as {@code --query.lookback-delta=1m}. */
    public Builder flag(String flag) {
      flags.add(flag);
      return this;
    }

    /** Writes the past, starts the server and waits until it answers queries. */
    public RigPrometheus start() {
      RigBinaries.locate();
      RigFolder folder = new RigFolder("fallow-prometheus-");
      folder.write("prometheus.yml", "scrape_configs:\n" + scrapes);
      HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      RigPrometheus prometheus = new RigPrometheus(folder, http, List.copyOf(flags));
      try {
        for (Path source : blocks) {
          ShortCommand.run(List.of("cp", "-R", source + "/.", folder.file("data").toString()));
        }
        for (Path file : backfills) {
          ShortCommand.run(
              List.of(
                  "promtool",
                  "tsdb",
                  "create-blocks-from",
                  // Weeks of samples become a few dozen blocks instead of hundreds.
                  "--max-block-duration=1000h",
                  "openmetrics",
                  file.toString(),
                  folder.file("data").toString()));
        }
        prometheus.process.start();
        return prometheus;
      } catch (RuntimeException e) {
        folder.keep();
        prometheus.close();
        throw e;
      }
    }

    private static String quoted(String... targets) {
      return String.join(", ", List.of(targets).stream().map(Json::quote).toList());
    }
  }
}
