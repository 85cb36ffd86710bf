package dev.fallow.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shell scripts play the servers here; they are ready when they have made the file $READY. */
@Tag("rig")
class RigProcessTest {
  private static final String SERVE = "trap 'echo bye; exit 0' TERM; touch $READY; read line <fifo";
  private static final String PORT_TAKEN =
      "echo 'listen tcp 127.0.0.1:1: bind: address already in use'; exit 1";

  @TempDir Path folder;

  private final List<Integer> ports = new ArrayList<>();
  private final List<RigProcess> processes = new ArrayList<>();

  @AfterEach
  void killAll() {
    processes.forEach(RigProcess::kill);
  }

  @Test
  void serverThatFindsItsPortTakenMovesToAnother() {
    RigProcess process = serverThatRuns(PORT_TAKEN, SERVE);

    process.start();

    assertThat(ports).hasSize(2).doesNotHaveDuplicates();
    assertThat(process.port()).isEqualTo(ports.getLast());
  }

  @Test
  void serverThatWasReadyOnceInsistsOnItsPort() {
    RigProcess process = serverThatRuns(SERVE, PORT_TAKEN, PORT_TAKEN, SERVE);
    process.start();
    process.kill();

    process.start();

    assertThat(ports).hasSize(4).containsOnly(process.port());
  }

  @Test
  void serverThatEndsBeforeItIsReadyFailsWithTheEndOfItsLog() {
    RigProcess process = serverThatRuns("echo no such flag; exit 3");

    assertThatThrownBy(process::start)
        .isInstanceOf(RigException.class)
        .hasMessageContaining("ended before it was ready")
        .hasMessageContaining("no such flag")
        .hasMessageContaining(process.log().toString());
  }

  @Test
  void stoppedServerHasTimeToSayGoodbye() throws Exception {
    RigProcess process = serverThatRuns(SERVE);
    process.start();

    process.stop();

    assertThat(process.running()).isFalse();
    assertThat(process.died()).isFalse();
    assertThat(Files.readString(process.log())).contains("bye");
  }

  @Test
  void serverThatEndsUnaskedHasDied() {
    RigProcess process = serverThatRuns(SERVE);
    process.start();
    assertThat(process.died()).isFalse();

    ShortCommand.run(List.of("sh", "-c", "echo end >" + folder.resolve("fifo")));

    await().until(() -> !process.running());
    assertThat(process.died()).isTrue();
  }

  /** Each start runs the next of the scripts. */
  private RigProcess serverThatRuns(String... scripts) {
    ShortCommand.run(List.of("mkfifo", folder.resolve("fifo").toString()));
    RigProcess process =
        new RigProcess(
            "server",
            folder.resolve("server.log"),
            port -> {
              ports.add(port);
              String setUp = "cd %s; READY=%s; ".formatted(folder, readyFile());
              return List.of("sh", "-c", setUp + scripts[ports.size() - 1]);
            },
            port -> Files.exists(readyFile()));
    processes.add(process);
    return process;
  }

  private Path readyFile() {
    return folder.resolve("ready-" + ports.size());
  }
}
