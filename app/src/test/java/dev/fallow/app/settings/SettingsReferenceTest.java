package dev.fallow.app.settings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.RecordedConsole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SettingsReferenceTest {

  @Test
  void theReferenceInTheDocumentsIsTheOneTheProgramPrints() throws IOException {
    Path page = Path.of(System.getProperty("fallow.root"), "docs", "settings.md");

    RecordedConsole console = RecordedConsole.run("settings");

    assertThat(console.exitCode()).isZero();
    assertThat(Files.readString(page))
        .as(
            "docs/settings.md is out of date; run: make build && bin/fallow settings"
                + " >docs/settings.md")
        .isEqualTo(console.out());
  }

  @Test
  void everySettingHasItsRow() {
    String text = RecordedConsole.run("settings").out();

    assertThat(Catalogue.all())
        .allSatisfy(setting -> assertThat(text).contains("`" + setting.environment() + "`"));
  }
}
