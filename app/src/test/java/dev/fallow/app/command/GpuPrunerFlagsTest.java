package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.Console;
import dev.fallow.app.RecordedConsole;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Catalogue.RunMode;
import dev.fallow.app.settings.Catalogue.TlsMode;
import dev.fallow.app.settings.LogFormat;
import dev.fallow.app.settings.NoticeSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.prune.PausableKind;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Every flag of gpu-pruner and its fork: its forms, its default, its meaning. */
class GpuPrunerFlagsTest {

  @TempDir Path folder;

  /**
   * A flag as gpu-pruner has it.
   *
   * @param letter empty where it has none
   * @param value empty for a switch
   * @param read what the settings make of it
   */
  private record Flag(
      String letter,
      String name,
      String value,
      Object byDefault,
      Object meaning,
      Function<Settings, Object> read) {

    /** {@code -t 5}, {@code -t5}, {@code -t=5}, {@code --duration 5}, {@code --duration=5}. */
    List<List<String>> forms() {
      List<List<String>> forms = new ArrayList<>();
      if (value.isEmpty()) {
        forms.add(List.of("--" + name));
        if (!letter.isEmpty()) {
          forms.add(List.of("-" + letter));
        }
        return forms;
      }
      forms.add(List.of("--" + name, value));
      forms.add(List.of("--" + name + "=" + value));
      if (!letter.isEmpty()) {
        forms.add(List.of("-" + letter, value));
        forms.add(List.of("-" + letter + value));
        forms.add(List.of("-" + letter + "=" + value));
      }
      return forms;
    }

    @Override
    public String toString() {
      return "--" + name;
    }
  }

  private static Flag flag(
      String letter,
      String name,
      String value,
      Object byDefault,
      Object meaning,
      Function<Settings, Object> read) {
    return new Flag(letter, name, value, byDefault, meaning, read);
  }

  static Stream<Flag> flags() {
    return Stream.of(
        flag(
            "t",
            "duration",
            "5",
            Duration.ofMinutes(30),
            Duration.ofMinutes(5),
            s -> s.of(Catalogue.DURATION)),
        flag("d", "daemon-mode", "", false, true, s -> s.of(Catalogue.DAEMON_MODE)),
        flag(
            "e",
            "enabled-resources",
            "dn",
            PausableKind.ofLetters("drsin"),
            EnumSet.of(PausableKind.DEPLOYMENT, PausableKind.NOTEBOOK),
            s -> s.of(Catalogue.ENABLED_RESOURCES)),
        flag(
            "c",
            "check-interval",
            "7",
            Duration.ofSeconds(180),
            Duration.ofSeconds(7),
            s -> s.of(Catalogue.CHECK_INTERVAL)),
        flag(
            "n",
            "namespace",
            "ml-.*",
            "[ml-a, ml-ab, xml-a]",
            "[ml-a, ml-ab]",
            s -> passed(s.of(Catalogue.NAMESPACE_PATTERN), "ml-a", "ml-ab", "xml-a")),
        flag(
            "g",
            "grace-period",
            "9",
            Duration.ofSeconds(300),
            Duration.ofSeconds(9),
            s -> s.of(Catalogue.GRACE_PERIOD)),
        flag(
            "m",
            "model-name",
            "NVIDIA A10G|.*H100.*",
            "[NVIDIA A10G, NVIDIA A10, NVIDIA H100 NVL]",
            "[NVIDIA A10G, NVIDIA H100 NVL]",
            s ->
                passed(s.of(Catalogue.MODEL_NAME), "NVIDIA A10G", "NVIDIA A10", "NVIDIA H100 NVL")),
        flag(
            "r",
            "run-mode",
            "scale-down",
            RunMode.DRY_RUN,
            RunMode.SCALE_DOWN,
            s -> s.of(Catalogue.RUN_MODE)),
        flag(
            "l",
            "log-format",
            "json",
            LogFormat.DEFAULT,
            LogFormat.JSON,
            s -> s.of(Catalogue.LOG_FORMAT)),
        flag(
            "l",
            "log-format",
            "pretty",
            LogFormat.DEFAULT,
            LogFormat.PRETTY,
            s -> s.of(Catalogue.LOG_FORMAT)),
        flag(
            "",
            "prometheus-url",
            "http://thanos-querier.openshift-monitoring.svc.cluster.local",
            "",
            "http://thanos-querier.openshift-monitoring.svc.cluster.local",
            s -> s.of(Catalogue.PROMETHEUS_URL)),
        flag("", "prometheus-token", "t0", "", "t0", s -> s.of(Catalogue.PROMETHEUS_TOKEN)),
        flag(
            "",
            "prometheus-tls-mode",
            "skip",
            TlsMode.VERIFY,
            TlsMode.SKIP,
            s -> s.of(Catalogue.PROMETHEUS_TLS_MODE)),
        flag(
            "",
            "prometheus-tls-cert",
            "/certs/ca.crt",
            "",
            "/certs/ca.crt",
            s -> s.of(Catalogue.PROMETHEUS_TLS_CERT)),
        flag("", "dashboard-port", "9000", 8080, 9000, s -> s.of(Catalogue.DASHBOARD_PORT)),
        flag(
            "",
            "metrics-addr",
            "0.0.0.0:8080",
            "",
            "0.0.0.0:8080",
            s -> s.of(Catalogue.METRICS_ADDR)),
        flag("", "idle-threshold", "0.05", 0.01, 0.05, s -> s.of(Catalogue.IDLE_THRESHOLD)),
        flag(
            "",
            "power-threshold",
            "150",
            OptionalDouble.empty(),
            OptionalDouble.of(150),
            s -> s.of(Catalogue.POWER_THRESHOLD)),
        flag("", "honor-labels", "", false, true, s -> s.of(Catalogue.HONOR_LABELS)),
        flag(
            "",
            "ack-grace-period",
            "60",
            Duration.ofSeconds(300),
            Duration.ofSeconds(60),
            s -> s.of(NoticeSettings.ACK_GRACE_PERIOD)),
        flag(
            "",
            "slack-interaction-port",
            "3002",
            Optional.empty(),
            Optional.of(3002),
            s -> s.of(NoticeSettings.SLACK_INTERACTION_PORT)),
        flag(
            "",
            "slack-webhook-url",
            "https://x.example",
            "",
            "https://x.example",
            text("slack-webhook-url")),
        flag("", "slack-channel", "#test-pruner", "", "#test-pruner", text("slack-channel")),
        flag("", "slack-signing-secret", "s", "", "s", text("slack-signing-secret")),
        flag("", "cluster", "a=http://x", "", "a=http://x", text("cluster")),
        flag("", "honor-labels-clusters", "a,b", "", "a,b", text("honor-labels-clusters")),
        flag(
            "",
            "excluded-namespaces",
            "prod-*,lab",
            "[kube-system, openshift-monitoring, bench-guide-1, llm-d-nightly-7]",
            "[prod-1, lab]",
            s ->
                Stream.of(
                        "kube-system",
                        "openshift-monitoring",
                        "bench-guide-1",
                        "llm-d-nightly-7",
                        "prod-1",
                        "lab",
                        "ml")
                    .filter(s.of(Catalogue.EXCLUDED_NAMESPACES))
                    .toList()
                    .toString()));
  }

  private static Object passed(
      Optional<java.util.function.Predicate<String>> pattern, String... names) {
    return Stream.of(names).filter(pattern.orElse(any -> true)).toList().toString();
  }

  private static Function<Settings, Object> text(String name) {
    return settings ->
        Catalogue.all().stream()
            .filter(setting -> setting.name().equals(name))
            .<Object>map(settings::of)
            .findFirst()
            .orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("flags")
  void everyFormOfAFlagMeansTheSame(Flag flag) {
    assertThat(flag.forms())
        .allSatisfy(form ->
            assertThat(flag.read().apply(settings(Map.of(), form)))
                .as(String.join(" ", form))
                .isEqualTo(flag.meaning()));
  }

  @ParameterizedTest
  @MethodSource("flags")
  void aFlagThatIsNotGivenHasGpuPrunersDefault(Flag flag) {
    assertThat(flag.read().apply(settings(Map.of(), List.of()))).isEqualTo(flag.byDefault());
  }

  @Test
  void shortFlagsMayStandTogether() {
    Settings settings = settings(Map.of(), List.of("-dr", "scale-down", "-t5"));
    assertThat(settings.of(Catalogue.DAEMON_MODE)).isTrue();
    assertThat(settings.of(Catalogue.RUN_MODE)).isEqualTo(RunMode.SCALE_DOWN);
    assertThat(settings.of(Catalogue.DURATION)).hasMinutes(5);
  }

  @Test
  void aClusterMayBeNamedSeveralTimes() {
    Settings settings =
        settings(Map.of(), List.of("--cluster=a=http://x", "--cluster", "b=http://y"));
    assertThat(text("cluster").apply(settings)).isEqualTo("a=http://x,b=http://y");
  }

  @Test
  void theEnvironmentIsReadAsTheirs() {
    Settings settings =
        settings(
            Map.of(
                "PROMETHEUS_TOKEN",
                "t1",
                "SLACK_WEBHOOK_URL",
                "https://hook",
                "RUST_LOG",
                "info",
                "RUST_BACKTRACE",
                "1"),
            List.of());
    assertThat(settings.of(Catalogue.PROMETHEUS_TOKEN)).isEqualTo("t1");
    assertThat(text("slack-webhook-url").apply(settings)).isEqualTo("https://hook");
  }

  @Test
  void theTokenOfTheFlagGoesBeforeThatOfTheEnvironment() {
    assertThat(
            settings(Map.of("PROMETHEUS_TOKEN", "t1"), List.of("--prometheus-token=t2"))
                .of(Catalogue.PROMETHEUS_TOKEN))
        .isEqualTo("t2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--duration | abc | a duration",
        "--duration | -5 | a duration",
        "--enabled-resources | dx | d Deployment",
        "--check-interval | 0 | seconds",
        "--namespace | ml-( | a regular expression",
        "--grace-period | x | seconds",
        "--model-name | [ | a regular expression",
        "--run-mode | delete | dry-run or scale-down",
        "--log-format | xml | default, json or pretty",
        "--prometheus-url | ftp://x | http or https",
        "--prometheus-url | prometheus:9090 | http or https",
        "--prometheus-tls-mode | maybe | verify or skip",
        "--dashboard-port | 70000 | 65535",
        "--metrics-addr | 0.0.0.0 | host:port",
        "--metrics-addr | 0.0.0.0:70000 | host:port",
        "--idle-threshold | 2 | up to 1",
        "--power-threshold | -1 | watts",
        "--ack-grace-period | soon | seconds",
        "--slack-interaction-port | http | 65535"
      })
  void aValueThatCannotBeEndsTheProgramWithTwoAndNamesFlagAndCure(
      String flag, String value, String cure) {
    RecordedConsole console = RecordedConsole.run("gpu-pruner", flag + "=" + value);
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains(flag).contains(cure);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--duration", "--run-mode", "--cluster"})
  void aFlagWithoutItsValueIsNamed(String flag) {
    RecordedConsole console = RecordedConsole.run("gpu-pruner", flag);
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains(flag);
  }

  @Test
  void aFlagThatIsGivenTwiceIsRefusedAsTheyRefuseIt() {
    RecordedConsole console = RecordedConsole.run("gpu-pruner", "-t", "5", "--duration=6");
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("--duration");
  }

  @Test
  void whatIsNotWiredYetIsSaidInOneLine() {
    RecordedConsole console =
        RecordedConsole.run(
            Map.of("SLACK_WEBHOOK_URL", "https://hooks.example/s3cret"),
            "gpu-pruner",
            "--slack-channel=#gpu",
            "--slack-interaction-port=3002",
            "--slack-signing-secret=s3cret",
            "--ack-grace-period=60",
            "--cluster=a=http://x",
            "--cluster=b=http://y",
            "--honor-labels-clusters=a",
            "--honor-labels",
            "--kubeconfig",
            folder.resolve("none").toString());
    assertThat(console.err().lines().filter(line -> line.contains("without effect")))
        .singleElement()
        .satisfies(line ->
            assertThat(line)
                .contains("--cluster", "--honor-labels-clusters")
                .doesNotContain("--slack-", "--ack-grace-period"));
    assertThat(console.out() + console.err()).doesNotContain("s3cret");
  }

  @Test
  void helpSaysWhatEachLetterStandsForAndWhichNamespacesAreLeftAlone() {
    RecordedConsole console = RecordedConsole.run("gpu-pruner", "--help");
    assertThat(console.exitCode()).isZero();
    String text = console.out().replaceAll("\\s+", "");
    assertThat(text)
        .contains("dDeployment,rReplicaSet,sStatefulSet,iInferenceService,nNotebook")
        .contains("kube-*,openshift-*,bench-guide-*,llm-d-nightly-*,fallow-system");
  }

  private static Settings settings(Map<String, String> environment, List<String> words) {
    PrintStream nowhere =
        new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
    Console console = new Console(nowhere, nowhere, environment, false, false);
    CommandLine line = new CommandLine(PruneCommand.spec("gpu-pruner", console));
    return new CommandBuilder.Call(
            line.parseArgs(words.toArray(String[]::new)), console, Catalogue.all())
        .settings();
  }
}
