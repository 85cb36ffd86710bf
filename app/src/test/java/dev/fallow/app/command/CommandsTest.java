package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.RecordedConsole;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {

  @TempDir Path folder;

  @Test
  void helpNamesEveryCommand() {
    RecordedConsole console = RecordedConsole.run("--help");
    assertThat(console.exitCode()).isZero();
    assertThat(console.out())
        .contains("list", "why", "record", "replay", "doctor", "demo", "completion");
  }

  @Test
  void anUnknownFlagIsWrongUseAndNamed() {
    RecordedConsole console = RecordedConsole.run("list", "--durtion", "5");
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("--durtion").contains("--duration");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prune --slack-webhook=https://hooks.example/T/hunter2",
        "prune --legder postgresql://me:hunter2@db/x",
        "prune postgresql://me:hunter2@db/x",
        "history --server https://me:hunter2@fallow.example",
        "history --server https://me:hunter2@fall^ow"
      })
  void aSecretThatCameToTheWrongPlaceIsNotRepeated(String call) {
    RecordedConsole console = RecordedConsole.run(List.of(call.split(" ")));
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).doesNotContain("hunter2").doesNotContain("bug");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-r scale-down", "-d"})
  void anotherMomentThanNowIsJudgedOnlyInASingleDryRun(String mode) {
    RecordedConsole console =
        RecordedConsole.run(List.of(("prune --at 2026-11-02T12:00:00Z " + mode).split(" ")));
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("--at");
  }

  @Test
  void whoSaysNothingIsShownTheCommands() {
    RecordedConsole console = RecordedConsole.run();
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err())
        .contains("one of the commands below")
        .containsPattern("(?m)^ +doctor +Says what is missing");
    assertThat(console.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "lsit, list",
    "reprot, report",
    "resme, resume",
    "wyh, why",
    "list --durtion=5, --duration",
    "report --namspace, --namespace"
  })
  void aNearNameIsOffered(String call, String meant) {
    RecordedConsole console = RecordedConsole.run(List.of(call.split(" ")));
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("did you mean " + meant + "?");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nosuch", "test", "xy", "get", "list -x", "list --wide", "list surplus"})
  void aFarNameIsNotOffered(String call) {
    RecordedConsole console = RecordedConsole.run(List.of(call.split(" ")));
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err().toLowerCase(Locale.ROOT))
        .doesNotContain("did you mean", "possible")
        .contains("--help");
  }

  @Test
  void aPartThatIsNotThereIsNotServed() {
    for (String part : new String[] {"exports", "web", ""}) {
      RecordedConsole console = RecordedConsole.run("serve", "--only", part);
      assertThat(console.exitCode()).isEqualTo(2);
      assertThat(console.err()).contains("--only").contains("controller or metrics or exporter");
    }
  }

  @Test
  void anUnknownFormatIsWrongUse() {
    RecordedConsole console = RecordedConsole.run("list", "-o", "xml");
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("xml").contains("table, wide, json, yaml or csv");
  }

  @Test
  void aManifestIsNoTable() {
    RecordedConsole console =
        RecordedConsole.run("hpa", "suggest", "deploy/x", "-n", "ml", "-o", "csv");
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("-o").contains("yaml");
  }

  @ParameterizedTest
  @CsvSource({
    "localhost:8080, http://localhost:8080",
    "10.0.0.1:8080, http://10.0.0.1:8080",
    "ftp://host, http:// or https://"
  })
  void anAddressWithoutAProtocolIsAnsweredWithOneThatHasIt(String server, String cure) {
    for (String command : List.of("history", "report")) {
      RecordedConsole console = RecordedConsole.run(command, "--server", server);
      assertThat(console.exitCode()).isEqualTo(2);
      assertThat(console.err()).contains("--server").contains("write " + cure);
    }
  }

  @Test
  void aMissingKubeconfigIsTheOutsideWorldsFailure() {
    RecordedConsole console =
        RecordedConsole.run("list", "--kubeconfig", folder.resolve("none").toString());
    assertThat(console.exitCode()).isEqualTo(3);
    assertThat(console.err()).contains("none");
  }

  @Test
  void outsideTheClusterNobodyIsSentToAServiceThatDoesNotLeadHere() throws IOException {
    for (String part : List.of("--only=metrics", "--run-mode=dry-run")) {
      RecordedConsole console =
          RecordedConsole.run(
              "serve", part, "--metrics-apis", "custom", "--kubeconfig", kubeconfig().toString());
      assertThat(console.exitCode()).isEqualTo(2);
      assertThat(console.err())
          .contains("--metrics-apis", "--metrics-service", "kubectl apply -k deploy/metrics");
    }
  }

  private Path kubeconfig() throws IOException {
    return Files.writeString(
        folder.resolve("config"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
        users: [{name: u, user: {}}]
        contexts: [{name: staging, context: {cluster: c, user: u}}]
        current-context: staging
        """);
  }

  @Test
  void anUnknownContextIsWrongUseAndThoseThereAreAreNamed() throws IOException {
    for (String command : List.of("list", "doctor", "history")) {
      RecordedConsole console =
          RecordedConsole.run(
              command, "--kubeconfig", kubeconfig().toString(), "--context", "stagin");
      assertThat(console.exitCode()).isEqualTo(2);
      assertThat(console.err()).contains("--context").contains("stagin").contains("staging");
    }
  }

  @Test
  void hpaSaysWhatItCanDo() {
    RecordedConsole console = RecordedConsole.run("hpa", "frobnicate", "web");
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err())
        .contains("frobnicate")
        .contains("hpa explain NAME")
        .contains("hpa suggest KIND/NAME");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "keep deploy/a",
        "pause deploy/a",
        "resume deploy/a",
        "why deploy/a",
        "record folder",
        "hpa explain a",
        "list",
        "prune",
        "serve",
        "history",
        "report",
        "doctor",
        "demo",
        "settings",
        "completion"
      })
  void aWordTooManyIsRefusedAndNamed(String call) {
    List<String> words = new ArrayList<>(List.of(call.split(" ")));
    words.add("deploy/surplus");

    RecordedConsole console = RecordedConsole.run(words);

    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("deploy/surplus");
    // Dots behind a bracket are those of an option that may be repeated.
    assertThat(RecordedConsole.run(words.getFirst(), "--help").out())
        .doesNotContainPattern("[^\\]]\\.\\.\\.");
  }

  @Test
  void completionIsAScriptForTheShell() {
    RecordedConsole console = RecordedConsole.run("completion");
    assertThat(console.exitCode()).isZero();
    assertThat(console.out()).contains("complete -F").contains("--prometheus-url");
  }

  @Test
  void theDemoShowsIdleWorkloadsAtOnceAndEndsWithZero() {
    RecordedConsole console = RecordedConsole.run("demo", "--for", "1");
    assertThat(console.exitCode()).isZero();
    assertThat(console.out())
        .contains("64 GPUs")
        .contains("IDLE")
        .contains("bin/fallow list")
        .contains("The demo ends");
  }

  @Test
  void aPortThatWasNamedForTheDemoIsTheOneOrNone() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      RecordedConsole console = RecordedConsole.run("demo", "--for", "1", "--port", port);
      assertThat(console.exitCode()).isEqualTo(3);
      assertThat(console.err()).contains("127.0.0.1:" + port).contains("--port");
      assertThat(console.out()).isEmpty();
    }
  }

  @Test
  void aTokenInTheEnvironmentNeverShows() {
    RecordedConsole console =
        RecordedConsole.run(
            Map.of("PROMETHEUS_TOKEN", "canary-s3cret"),
            "list",
            "--kubeconfig",
            folder.resolve("none").toString());
    assertThat(console.out() + console.err()).doesNotContain("canary-s3cret");
  }
}
