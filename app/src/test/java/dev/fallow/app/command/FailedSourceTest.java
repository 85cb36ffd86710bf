package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.RecordedConsole;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whether trying again can help is said of failures that may pass, and of no others. */
class FailedSourceTest {

  private static final String HOPE = "Trying again may help.";

  @TempDir Path folder;
  private final StubCluster cluster = new StubCluster();

  @AfterEach
  void end() {
    cluster.close();
  }

  private RecordedConsole run(String call) {
    List<String> words = new ArrayList<>(List.of(call.split(" ")));
    if (words.getFirst().equals("record")) {
      words.add(folder.resolve("case").toString());
    }
    words.addAll(
        List.of(
            "--kubeconfig",
            cluster.kubeconfig(folder).toString(),
            "--prometheus-url",
            cluster.address() + "/prometheus"));
    return RecordedConsole.run(words);
  }

  @ParameterizedTest
  @ValueSource(strings = {"prune", "record", "list"})
  void aRefusalIsNotToBeTriedAgain(String command) {
    cluster.answers("/prometheus/api/v1/query", 403);

    RecordedConsole console = run(command);

    assertThat(console.exitCode()).isEqualTo(3);
    assertThat(console.err()).contains("403").doesNotContain(HOPE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"prune", "record", "list"})
  void anOutageIsToBeTriedAgain(String command) {
    cluster.answers("/prometheus/api/v1/query", 503);

    RecordedConsole console = run(command);

    assertThat(console.exitCode()).isEqualTo(3);
    assertThat(console.err()).contains(HOPE);
  }
}
