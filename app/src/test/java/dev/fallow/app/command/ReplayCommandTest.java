package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.RecordedConsole;
import dev.fallow.app.cases.CaseBuilder;
import dev.fallow.app.cases.CaseBuilder.Owner;
import dev.fallow.app.cases.CaseCatalogue;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class ReplayCommandTest {

  @TempDir Path folder;

  @Test
  void everyCaseOfTheCatalogueIsJudgedAsExpectedInOneCall() {
    List<CaseBuilder> cases = CaseCatalogue.all();
    assertThat(cases).hasSizeGreaterThanOrEqualTo(80);
    List<String> words = new ArrayList<>(List.of("replay", "--check", "-o", "json"));
    cases.forEach(built -> words.add(built.write(folder).toString()));

    RecordedConsole console = RecordedConsole.run(words);

    assertThat(console.err()).isEmpty();
    assertThat(console.exitCode()).isZero();
    assertThat(console.out().lines()).hasSize(cases.size());
  }

  @Test
  void aDifferenceIsPrintedAndExitsWithOne() {
    Path wrong =
        new CaseBuilder("wrong").expect("Deployment/ml/absent", "IDLE", "", "").write(folder);

    RecordedConsole console = RecordedConsole.run("replay", "--check", wrong.toString());

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.err()).contains("Deployment/ml/absent was expected and is not there");
  }

  @Test
  void anUnlistedPauseIsADifference() {
    CaseBuilder built = new CaseBuilder("unlisted");
    built.pod(built.statefulSet("ml", "db"), "db-0").idle();

    RecordedConsole console =
        RecordedConsole.run("replay", "--check", built.write(folder).toString());

    assertThat(console.exitCode()).isEqualTo(1);
    assertThat(console.err()).contains("StatefulSet/ml/db would be paused and is not listed");
  }

  @Test
  void aPauseIsNotHiddenByAnotherWorkloadOfItsName() {
    CaseBuilder built = new CaseBuilder("namesakes");
    built.pod(built.statefulSet("ml", "db"), "db-0").idle();
    Owner off = built.statefulSet("ml", "db");
    off.object().spec("replicas", 0);
    built.pod(off, "db-1").idle();

    RecordedConsole console =
        RecordedConsole.run("replay", "--check", built.write(folder).toString());

    assertThat(console.err()).contains("StatefulSet/ml/db would be paused and is not listed");
    assertThat(console.exitCode()).isEqualTo(1);
  }

  @Test
  void whatAFailedPodDidEndsTheStillnessBefore() {
    CaseBuilder built = new CaseBuilder("late");
    Owner owner = built.statefulSet("ml", "db");
    built.pod(owner, "db-0").idle();
    built
        .pod(owner, "db-1")
        .phase("Failed")
        .each(ago -> ago.compareTo(Duration.ofMinutes(33)) < 0 ? 0 : 70);

    RecordedConsole console =
        RecordedConsole.run("replay", "-o", "json", built.write(folder).toString());

    assertThat(console.out()).contains("\"idleSince\":\"2026-11-02T11:27:00Z\"");
  }

  @Test
  @Timeout(60)
  void aPipeInTheFolderIsRefusedAndNotWaitedFor() throws Exception {
    Path piped = new CaseBuilder("piped").write(folder);
    Files.delete(piped.resolve("samples.om"));
    assertThat(
            new ProcessBuilder("mkfifo", piped.resolve("samples.om").toString()).start().waitFor())
        .isZero();

    RecordedConsole console = RecordedConsole.run("replay", "-o", "json", piped.toString());

    assertThat(console.exitCode()).isEqualTo(3);
    assertThat(console.out()).contains("samples.om is not a file");
  }

  @Test
  void aWorkloadThatIsListedTwiceIsComparedTwice() {
    CaseBuilder built = new CaseBuilder("twice");
    built.pod(built.statefulSet("ml", "db"), "db-0").idle();
    built.expect("StatefulSet/ml/db", "IDLE", "", "").expect("StatefulSet/ml/db", "", "", "PAUSE");

    RecordedConsole right =
        RecordedConsole.run("replay", "--check", built.write(folder).toString());

    assertThat(right.err()).isEmpty();
    assertThat(right.exitCode()).isZero();

    CaseBuilder wrong = new CaseBuilder("wrong-twice");
    wrong.pod(wrong.statefulSet("ml", "db"), "db-0").idle();
    wrong.expect("StatefulSet/ml/db", "IDLE", "", "").expect("StatefulSet/ml/db", "BUSY", "", "");

    RecordedConsole differing =
        RecordedConsole.run("replay", "--check", wrong.write(folder).toString());

    assertThat(differing.exitCode()).isEqualTo(1);
    assertThat(differing.err().lines())
        .singleElement()
        .asString()
        .endsWith("StatefulSet/ml/db: verdict BUSY expected, IDLE found");
  }

  @Test
  void aFolderThatCannotBeReadGivesAnErrorAndTheOthersGoOn() throws Exception {
    Path good = new CaseBuilder("good").write(folder);
    Path bad = new CaseBuilder("bad").write(folder);
    Files.writeString(bad.resolve("samples.om"), "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 1 1\n");

    RecordedConsole console =
        RecordedConsole.run("replay", "-o", "json", bad.toString(), good.toString());

    assertThat(console.exitCode()).isEqualTo(3);
    assertThat(console.out().lines()).hasSize(2);
    assertThat(console.out().lines().findFirst().orElseThrow())
        .startsWith("{\"case\":\"" + bad + "\",\"error\":")
        .contains("cut off");
  }

  @Test
  void aKeepLongerThanFallowWouldWriteBindsAndIsToldAsSuch() {
    CaseBuilder built = new CaseBuilder("long");
    Owner set = built.statefulSet("ml", "db");
    set.object().annotation("fallow.dev/keep-until", "2027-11-02T12:00:00Z");
    built.pod(set, "db-0").idle();

    RecordedConsole console =
        RecordedConsole.run("replay", "-o", "json", built.write(folder).toString());

    assertThat(console.out())
        .contains(
            "kept until 2027-11-02T12:00:00Z, which is longer than the 7 d that Fallow would"
                + " write");
  }

  @Test
  void theNearestNameIsOfferedForAnUnknownSetting() {
    Path wrong = new CaseBuilder("misspelt").setting("grace-perod", 5).write(folder);

    RecordedConsole console = RecordedConsole.run("replay", wrong.toString());

    assertThat(console.exitCode()).isEqualTo(3);
    assertThat(console.err()).contains("grace-perod").contains("did you mean grace-period?");
  }
}
