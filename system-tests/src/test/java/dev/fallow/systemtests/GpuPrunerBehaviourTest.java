package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.fallow.app.RecordedConsole;
import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.FreePort;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.systemtests.faults.FallowProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What gpu-pruner's flags do to a live cluster, run once and without a change. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class GpuPrunerBehaviourTest {

  private static final String TRAINER = "Deployment/ml/trainer";
  private static final String DATABASE = "StatefulSet/lab/db";
  private static final String FAINT = "Deployment/faint/flicker";
  private static final String SPINNER = "Deployment/warm/spinner";

  @TempDir static Path folder;

  private static Rig rig;
  private static Path account;
  private static RigPrometheus prometheus;

  @BeforeAll
  static void start() {
    rig = Rig.builder().start();
    account = ShippedAccount.in(rig);
    LiveFleet fleet = new LiveFleet(rig);
    fleet.pod(fleet.deployment("ml", "trainer", 2), LiveFleet::idle);
    fleet.namespace("lab");
    fleet.pod(
        fleet.create(
            "/apis/apps/v1/namespaces/lab/statefulsets",
            """
            {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"db"},
             "spec":{"replicas":1,"serviceName":"db","selector":{"matchLabels":{"app":"db"}},
              "template":{"metadata":{"labels":{"app":"db"}},"spec":{"containers":[{"name":"main","image":"none"}]}}}}
            """),
        LiveFleet::idle);
    fleet.pod(fleet.deployment("faint", "flicker", 1), at -> 5);
    fleet.pod(fleet.deployment("others", "server", 1), LiveFleet::busy);
    fleet.pod(fleet.deployment("warm", "spinner", 1), LiveFleet::idle, at -> 180);
    prometheus = RigPrometheus.builder().backfill(fleet.samples(folder)).start();
  }

  @AfterAll
  static void stop() {
    if (rig != null) {
      rig.close();
    }
    if (prometheus != null) {
      prometheus.close();
    }
  }

  private static Arguments row(String flags, Map<String, String> idle) {
    return Arguments.of(flags, new TreeMap<>(idle));
  }

  /** Flags, and each idle workload with what they make of it. */
  static Stream<Arguments> flags() {
    String pause = "PAUSE ALL_GPUS_IDLE";
    return Stream.of(
        row("", Map.of(TRAINER, pause, DATABASE, pause, SPINNER, pause)),
        row("--power-threshold=150", Map.of(TRAINER, pause, DATABASE, pause)),
        row("--power-threshold=200", Map.of(TRAINER, pause, DATABASE, pause, SPINNER, pause)),
        row(
            "-n la.*",
            Map.of(TRAINER, "NONE FILTERED_OUT", DATABASE, pause, SPINNER, "NONE FILTERED_OUT")),
        row("--namespace=a", Map.of()),
        row("-n lab", Map.of(DATABASE, pause)),
        row("-n .*", Map.of(TRAINER, pause, DATABASE, pause, SPINNER, pause)),
        row("-m .*A100.*", Map.of(TRAINER, pause, DATABASE, pause, SPINNER, pause)),
        row("-m A100", allFiltered()),
        row(
            "-e s",
            Map.of(TRAINER, "NONE KIND_DISABLED", DATABASE, pause, SPINNER, "NONE KIND_DISABLED")),
        row("-e dr", Map.of(TRAINER, pause, DATABASE, "NONE KIND_DISABLED", SPINNER, pause)),
        row(
            "--excluded-namespaces=m*",
            Map.of(TRAINER, "NONE PROTECTED_NAMESPACE", DATABASE, pause, SPINNER, pause)),
        row(
            "--idle-threshold=0.10",
            Map.of(TRAINER, pause, DATABASE, pause, SPINNER, pause, FAINT, pause)),
        row("--model-name=.*V100.*", allFiltered()),
        row(
            "--enabled-resources=s",
            Map.of(TRAINER, "NONE KIND_DISABLED", DATABASE, pause, SPINNER, "NONE KIND_DISABLED")),
        row("-t 117", Map.of()),
        row("--duration=117", Map.of()),
        row("-t 117 -g 0", Map.of(TRAINER, pause, DATABASE, pause, SPINNER, pause)),
        row("-t 117 --grace-period=0", Map.of(TRAINER, pause, DATABASE, pause, SPINNER, pause)),
        row("-r dry-run", Map.of(TRAINER, pause, DATABASE, pause, SPINNER, pause)),
        row("--honor-labels", Map.of(TRAINER, pause, DATABASE, pause, SPINNER, pause)));
  }

  private static Map<String, String> allFiltered() {
    String out = "NONE FILTERED_OUT";
    return Map.of(TRAINER, out, DATABASE, out, SPINNER, out);
  }

  @ParameterizedTest
  @MethodSource("flags")
  void flagsDecideWhatIsPaused(String flags, Map<String, String> expected) {
    RecordedConsole console = run(prometheus.url().toString(), flags);
    assertThat(console.exitCode()).as(console.err()).isZero();
    Map<String, String> seen = new TreeMap<>();
    for (Json item : Json.parse(console.out().strip()).at("items").items()) {
      seen.put(
          item.at("workload").text(), item.at("action").text() + " " + item.at("reason").text());
    }
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void aRunWithoutARunModeChangesNothingAndEnds() {
    AuditLog log = rig.audit().fromHere();
    RecordedConsole console = run(prometheus.url().toString(), "");
    assertThat(console.exitCode()).isZero();
    assertThat(console.out()).contains("would pause");
    assertThat(log.entries(AuditEntry::isWrite).stream().filter(GpuPrunerBehaviourTest::isOurs))
        .isEmpty();
  }

  private static boolean isOurs(AuditEntry entry) {
    return entry.userAgent().startsWith("fallow/");
  }

  @Test
  void theTokenOfTheFlagOrTheEnvironmentReachesPrometheus() throws Exception {
    Set<String> shown = new ConcurrentSkipListSet<>();
    HttpServer stub =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    stub.createContext(
        "/",
        exchange -> {
          shown.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
          exchange.sendResponseHeaders(503, -1);
          exchange.close();
        });
    stub.start();
    try {
      String url = "http://127.0.0.1:" + stub.getAddress().getPort();
      assertThat(run(url, "--prometheus-token=of-the-flag").exitCode()).isEqualTo(3);
      assertThat(shown).containsExactly("Bearer of-the-flag");
      shown.clear();
      run(Map.of("PROMETHEUS_TOKEN", "of-the-environment"), url, "");
      assertThat(shown).containsExactly("Bearer of-the-environment");
    } finally {
      stub.stop(0);
    }
  }

  @Test
  void prometheusIsTrustedOnlyUnderAKnownAuthorityUnlessToldOtherwise() throws Exception {
    try (TlsDoor door = new TlsDoor(prometheus.url())) {
      RecordedConsole unknown = run(door.url(), "--prometheus-tls-mode=verify");
      assertThat(unknown.exitCode()).as(unknown.err()).isEqualTo(3);
      String known = "--prometheus-tls-cert=" + door.authorityIn(folder);
      for (String flags : List.of(known, "--prometheus-tls-mode=skip")) {
        RecordedConsole console = run(door.url(), flags);
        assertThat(console.exitCode()).as(console.err()).isZero();
        assertThat(console.out()).contains("PAUSE");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-l json", "--log-format=json", "-l default", "--log-format=pretty", ""})
  void theDaemonsLogIsJsonIfThatIsAskedFor(String flags) throws Exception {
    String name = "log" + flags.hashCode();
    List<String> words =
        new ArrayList<>(
            List.of(
                "gpu-pruner",
                "-d",
                "-c=2",
                "--kubeconfig",
                account.toString(),
                "--prometheus-url",
                prometheus.url().toString()));
    words.addAll(wordsOf(flags));
    try (FallowProcess daemon = FallowProcess.daemon(folder, name, Map.of(), words)) {
      daemon.awaitUp().awaitCycles(1);
    }
    List<String> lines = Files.readAllLines(folder.resolve(name + ".log"));
    assertThat(lines).isNotEmpty();
    if (flags.endsWith("json")) {
      assertThat(lines).allMatch(line -> !Json.parse(line).at("fields", "message").isMissing());
    } else {
      assertThat(lines).noneMatch(line -> line.startsWith("{"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"-d -c=1", "--daemon-mode --check-interval=1"})
  void theDaemonLooksAsOftenAndServesItsPageWhereItIsTold(String flags) {
    int port = FreePort.pick();
    List<String> words =
        new ArrayList<>(
            List.of(
                "gpu-pruner",
                "--dashboard-port=" + port,
                "--kubeconfig",
                account.toString(),
                "--prometheus-url",
                prometheus.url().toString()));
    words.addAll(wordsOf(flags));
    String name = "often" + words.hashCode();
    try (FallowProcess daemon = FallowProcess.start(folder, name, Map.of(), words, port)) {
      daemon.awaitUp().awaitCycles(3);
    }
  }

  @Test
  void aTokenIsNotSentInTheOpenToAnotherHost() {
    RecordedConsole console = run("http://prometheus.example.com", "--prometheus-token=s3cret");
    assertThat(console.exitCode()).isNotZero();
    assertThat(console.err()).contains("token").doesNotContain("s3cret");
  }

  private static RecordedConsole run(String url, String flags) {
    return run(Map.of(), url, flags);
  }

  private static RecordedConsole run(Map<String, String> environment, String url, String flags) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "gpu-pruner",
                "-o",
                "json",
                "--kubeconfig",
                account.toString(),
                "--prometheus-url",
                url));
    words.addAll(wordsOf(flags));
    return RecordedConsole.run(environment, words.toArray(String[]::new));
  }

  private static List<String> wordsOf(String flags) {
    return flags.isEmpty() ? List.of() : List.of(flags.split(" "));
  }
}
