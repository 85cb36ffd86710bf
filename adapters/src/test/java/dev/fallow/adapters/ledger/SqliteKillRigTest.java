package dev.fallow.adapters.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Ledger;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("rig")
class SqliteKillRigTest {

  @TempDir Path folder;

  @Test
  void whatWasAcknowledgedOutlivesAKillOfTheWriter() throws Exception {
    Path file = folder.resolve("ledger.db");
    Set<String> acknowledged = new HashSet<>();
    for (int round = 0; round < 3; round++) {
      acknowledged.addAll(writeAndDie(file, round, 50 + 37 * round));
    }

    assertThat(acknowledged).hasSizeGreaterThanOrEqualTo(3 * 50);
    try (Ledger ledger = SqliteLedger.at(file)) {
      assertThat(ledger.actions(ActionQuery.latest(ActionQuery.MOST)))
          .extracting(ActionRecord::actionId)
          .containsAll(acknowledged);
    }
  }

  /** Runs a writer, kills it in the midst of writing, and answers what it had acknowledged. */
  private static Set<String> writeAndDie(Path file, int round, int rows) throws Exception {
    Process writer =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                file.toString(),
                "round" + round + "-")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Set<String> acknowledged = new HashSet<>();
    try (BufferedReader lines = writer.inputReader()) {
      for (int row = 0; row < rows; row++) {
        acknowledged.add(String.valueOf(lines.readLine()));
      }
      // By its handle: the process itself would drop what it has said.
      writer.toHandle().destroyForcibly();
      readTheRest(lines, acknowledged);
    } finally {
      writer.destroyForcibly().waitFor();
    }
    return acknowledged;
  }

  /** What it had said before it died; a line that it did not finish it has not said. */
  private static void readTheRest(BufferedReader lines, Set<String> acknowledged)
      throws IOException {
    String line = lines.readLine();
    while (line != null) {
      if (line.endsWith(".")) {
        acknowledged.add(line);
      }
      line = lines.readLine();
    }
  }

  /** Records actions for ever, and says each after it was acknowledged. */
  static final class Writer {
    private Writer() {}

    public static void main(String[] arguments) {
      try (Ledger ledger = SqliteLedger.at(Path.of(arguments[0]))) {
        for (int row = 0; ; row++) {
          String id = arguments[1] + row + ".";
          ledger.record(LedgerContract.action(id, LedgerContract.NOON));
          System.out.println(id);
        }
      }
    }
  }
}
