package dev.fallow.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.idle.Reason;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.prune.RefusalReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DocumentedReasonsTest {

  private static final Path PAGE =
      Path.of(System.getProperty("fallow.root"), "docs", "concepts.md");

  @Test
  void everyReasonAndRefusalHasItsRowInTheirOrder() throws IOException {
    String page = Files.readString(PAGE);
    int here = page.indexOf("## Reasons");
    for (Reason reason : Reason.values()) {
      here = rowAfter(page, here, reason.name());
    }
    for (RefusalReason reason : RefusalReason.values()) {
      here = rowAfter(page, here, reason.name());
    }
  }

  @Test
  void everySignalIsNamed() throws IOException {
    String page = Files.readString(PAGE);
    for (Signal signal : Signal.values()) {
      assertThat(page).contains("`" + signal + "`", "`" + signal.metrics().getFirst() + "`");
    }
  }

  private static int rowAfter(String page, int from, String reason) {
    int row = page.indexOf("\n| `" + reason + "` |", from);
    assertThat(row)
        .as("docs/concepts.md has no row for %s, or not in its place", reason)
        .isPositive();
    return row;
  }
}
