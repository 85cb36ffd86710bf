package dev.fallow.adapters.casefolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.fallow.adapters.casefolder.BadCases.BadCase;
import dev.fallow.adapters.casefolder.BadCases.Outcome;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bad input is refused naming its file, or judged and never idle unless it is harmless. */
class BadCasesTest {

  private static final Duration LONGEST = Duration.ofSeconds(30);

  @TempDir Path folder;

  @BeforeEach
  void writeGoodCase() throws IOException {
    Files.writeString(folder.resolve("case.yaml"), GoodCase.CASE);
    Files.writeString(folder.resolve("objects.yaml"), GoodCase.OBJECTS);
    Files.writeString(folder.resolve("samples.om"), GoodCase.samples());
  }

  @Test
  void theCaseThatIsBrokenBelowIsIdle() throws UnreadableCase {
    assertThat(judge())
        .singleElement()
        .extracting(Assessment::verdict)
        .isInstanceOf(Verdict.Idle.class);
  }

  @ParameterizedTest
  @MethodSource("dev.fallow.adapters.casefolder.BadCases#all")
  void badInputIsRefusedOrNotIdle(BadCase bad) throws IOException {
    Files.write(folder.resolve("case.yaml"), bad.head());
    Files.write(folder.resolve("objects.yaml"), bad.objects());
    Files.write(folder.resolve("samples.om"), bad.samples());

    assertThat(assertTimeoutPreemptively(LONGEST, this::outcome)).isEqualTo(bad.outcome());
  }

  @Test
  void filesThatAreNotThereAreNamed() throws IOException {
    for (String file : List.of("samples.om", "objects.yaml", "case.yaml")) {
      Files.delete(folder.resolve(file));
      assertThatThrownBy(this::judge)
          .isInstanceOf(UnreadableCase.class)
          .hasMessageContaining(file + " is missing");
    }
    assertThatThrownBy(() -> CaseFolder.read(folder.resolve("none")))
        .isInstanceOf(UnreadableCase.class)
        .hasMessageContaining("is not a folder");
  }

  @Test
  void foldersInThePlaceOfFilesAreNamed() throws IOException {
    for (String file : List.of("samples.om", "objects.yaml", "case.yaml")) {
      Files.delete(folder.resolve(file));
      Files.createDirectory(folder.resolve(file));
      assertThatThrownBy(this::judge).isInstanceOf(UnreadableCase.class).hasMessageContaining(file);
    }
  }

  private Outcome outcome() {
    try {
      boolean idle =
          judge().stream().anyMatch(assessment -> assessment.verdict() instanceof Verdict.Idle);
      return idle ? Outcome.IDLE : Outcome.NOT_IDLE;
    } catch (UnreadableCase refused) {
      assertThat(refused).hasMessageMatching("(?s).*(case\\.yaml|objects\\.yaml|samples\\.om).*");
      assertThat(refused.getMessage()).hasSizeLessThan(2_000);
      return Outcome.REFUSED;
    }
  }

  private List<Assessment> judge() throws UnreadableCase {
    CaseFolder read = CaseFolder.read(folder);
    return Judge.judge(
        read.cluster(),
        read.samples().read(read.at(), IdleRule.DEFAULT.window()),
        read.at(),
        IdleRule.DEFAULT,
        Optional.empty());
  }
}
