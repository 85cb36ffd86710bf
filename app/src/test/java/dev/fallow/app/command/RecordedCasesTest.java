package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.casefolder.CaseFolder;
import dev.fallow.adapters.casefolder.CaseFolderWriter;
import dev.fallow.app.Inspection;
import dev.fallow.app.cases.CaseBuilder;
import dev.fallow.app.cases.CaseCatalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.idle.Usage;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is recorded of a cluster is decided upon as the cluster itself was. */
class RecordedCasesTest {

  @TempDir Path folder;

  static List<CaseBuilder> cases() {
    return CaseCatalogue.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aRecordingIsDecidedUponAsTheClusterWas(CaseBuilder built) throws Exception {
    CaseFolder seen = CaseFolder.read(built.write(folder.resolve("seen")));
    Settings settings = Settings.ofFile(seen.settings(), "settings");
    Inspection inspection = Inspection.of(seen.cluster(), seen.samples(), seen.at(), settings);
    if (!(inspection.usage() instanceof Usage.Complete)) {
      return; // The source's failure is no part of a recording.
    }
    Path copy = folder.resolve("copy");
    new CaseFolderWriter(copy)
        .write(seen.at(), Map.of(), List.of(), inspection.cluster(), inspection.usage().series());
    CaseFolder again = CaseFolder.read(copy);
    assertThat(decided(Inspection.of(again.cluster(), again.samples(), again.at(), settings)))
        .isEqualTo(decided(inspection));
  }

  private static Map<String, String> decided(Inspection inspection) {
    Map<String, String> decided = new TreeMap<>();
    inspection
        .decisions()
        .forEach(decision ->
            decided.put(
                decision.assessment().workload().root().toString(),
                decision.assessment().verdict().name()
                    + " "
                    + decision.reason()
                    + " "
                    + decision.action()));
    return decided;
  }
}
