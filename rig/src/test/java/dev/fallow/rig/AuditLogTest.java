package dev.fallow.rig;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  @TempDir Path folder;

  @Test
  void aLineInTheMakingIsLeftOut() throws IOException {
    append(line("one") + line("two").substring(0, 20));
    assertThat(users(new AuditLog(file()))).containsExactly("one");
  }

  @Test
  void aLogThatIsNotThereIsEmpty() {
    assertThat(new AuditLog(file()).entries()).isEmpty();
    assertThat(new AuditLog(file()).fromHere().entries()).isEmpty();
  }

  @Test
  void fromHereOnOnlyWhatIsAddedIsRead() throws IOException {
    append(line("one"));
    AuditLog whole = new AuditLog(file());
    AuditLog rest = whole.fromHere();
    assertThat(users(rest)).isEmpty();
    append(line("two") + line("three"));
    assertThat(users(rest)).containsExactly("two", "three");
    assertThat(users(whole)).containsExactly("one", "two", "three");
  }

  @Test
  void aLineThatWasHalfWrittenThenBelongsToThePast() throws IOException {
    append(line("one") + line("two").substring(0, 20));
    AuditLog rest = new AuditLog(file()).fromHere();
    append(line("two").substring(20) + line("three"));
    assertThat(users(rest)).containsExactly("three");
  }

  private Path file() {
    return folder.resolve("audit.jsonl");
  }

  private void append(String text) throws IOException {
    Files.writeString(file(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static List<String> users(AuditLog log) {
    return log.entries().stream().map(AuditEntry::user).toList();
  }

  private static String line(String user) {
    return """
    {"auditID":"%1$s","verb":"get","requestURI":"/","user":{"username":"%1$s"},\
    "responseStatus":{"code":200},"requestReceivedTimestamp":"2026-01-01T00:00:00.000000Z"}
    """
        .formatted(user);
  }
}
