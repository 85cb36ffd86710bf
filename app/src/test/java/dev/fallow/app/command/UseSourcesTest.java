package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.fallow.app.Console;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.settings.MetricsSettings;
import dev.fallow.app.settings.Setting;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.UsageSource;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** In one process the numbers for autoscalers and the verdicts come from the same looks. */
class UseSourcesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @TempDir Path folder;
  private final StubCluster stub = new StubCluster();
  private final AtomicInteger looks = new AtomicInteger();
  private HttpServer exporter;
  private LiveCluster cluster;

  @BeforeEach
  void start() throws IOException {
    exporter = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    exporter.createContext(
        "/metrics",
        exchange -> {
          looks.incrementAndGet();
          byte[] body =
              "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\",Hostname=\"n1\"} 40\n"
                  .getBytes(StandardCharsets.UTF_8);
          try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    exporter.start();
    PrintStream nowhere = new PrintStream(PrintStream.nullOutputStream());
    Console console = new Console(nowhere, nowhere, Map.of(), false, false);
    List<Setting<?>> settings = new ArrayList<>(PruneCommand.settings());
    settings.addAll(MetricsSettings.all());
    cluster =
        LiveCluster.open(
            new Call(
                new CommandLine(ServeCommand.spec(console))
                    .parseArgs(
                        "--kubeconfig",
                        stub.kubeconfig(folder).toString(),
                        "--source",
                        "scrape",
                        // Nobody looks a second time for as long as this test takes.
                        "--scrape-interval",
                        "5m",
                        "--exporters",
                        "http://127.0.0.1:" + exporter.getAddress().getPort() + "/metrics"),
                console,
                settings),
            Optional.empty());
  }

  @AfterEach
  void end() {
    cluster.close();
    exporter.stop(0);
    stub.close();
  }

  @Test
  void exportersAreLookedAtOnceForNumbersAndVerdicts() {
    cluster.sources().forVerdicts();
    SampleSource samples = cluster.sources().samples();
    UsageSource usage = cluster.sources().growing();
    await()
        .atMost(PATIENCE)
        .until(() -> usage.read(Instant.now(), window()) instanceof Usage.Complete);

    assertThat(looks).hasValue(1);
    assertThat(usage).isSameAs(samples);
    assertThat(cluster.sources().samples()).as("whoever asks next").isSameAs(samples);
    assertThat(usage.read(Instant.now(), window()))
        .isInstanceOfSatisfying(
            Usage.Complete.class, complete -> assertThat(complete.series()).hasSize(1));
    assertThat(samples.read(Feed.of(Signal.GPU_UTIL), Instant.now()).series()).hasSize(1);
  }

  private Duration window() {
    return cluster.settings().idleRule().window();
  }
}
