package dev.fallow.app.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.app.RecordedConsole;
import dev.fallow.app.WrongUse;
import dev.fallow.core.savings.PriceBook;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PriceFileTest {

  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("prices.yaml"), text);
  }

  @Test
  void ownPricesAreReadAndSpotWithoutItsOwnCostsTheSame() throws IOException {
    PriceBook prices =
        PriceFile.read(
            file(
                """
                currency: EUR
                models:
                  H100: {onDemand: 2.10, spot: 0.95}
                  "NVIDIA A100-*":
                    onDemand: 1.4
                """));
    assertThat(prices.currency()).isEqualTo("EUR");
    assertThat(prices.perHour("NVIDIA H100 80GB HBM3", true)).hasValue(0.95);
    assertThat(prices.perHour("NVIDIA A100-SXM4-40GB", true)).hasValue(1.4);
    assertThat(PriceFile.read(file("")).perHour("Tesla T4")).hasValue(0.5);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "models:\\n  H100: {onDemand: cheap}|line 2, models.H100.onDemand: \"cheap\" is no price",
        "models:\\n  H100: {onDemand: -1}|line 2, models.H100.onDemand: \"-1\" is no price",
        "models:\\n  H100: {onDemand: .inf}|line 2, models.H100.onDemand",
        "models:\\n  H100: {spot: 1}|line 2, models.H100: has no onDemand; write {onDemand: 2.10}",
        "models:\\n  H100: 2.1|line 2, models.H100 has to hold|",
        "models:\\n  T4: {onDemand: 1}\\n  T4: {onDemand: 2}|line 3, models.T4: is there twice",
        "models: {T4: {ondemand: 1}}|line 1, models.T4.ondemand: is not known; there are onDemand",
        "currency: euro|line 1, currency: \"euro\" is no currency; write USD, EUR",
        "prices: {}|line 1, prices: is not known; there are currency, models",
        "- 1|line 1 has to hold names with values",
        "models: [|is not YAML that can be read",
        "a: &a [1]\\nmodels: *b|line 2 is not YAML that can be read"
      })
  void whatIsWrongIsNamedWithItsLineItsKeyAndTheCure(String text, String complaint)
      throws IOException {
    Path file = file(text.replace("\\n", "\n"));
    assertThatThrownBy(() -> PriceFile.read(file))
        .isInstanceOf(WrongUse.class)
        .hasMessageStartingWith("--prices: " + file)
        .message()
        .matches(said -> said.replace(": has to", " has to").contains(complaint));
  }

  @Test
  void aBadFileIsWrongUse() throws IOException {
    RecordedConsole console =
        RecordedConsole.run(
            "report",
            "--ledger",
            folder.resolve("ledger.db").toString(),
            "--prices",
            file("models: {T4: {onDemand: x}}").toString());
    assertThat(console.exitCode()).isEqualTo(2);
    assertThat(console.err()).contains("line 1").contains("models.T4.onDemand").contains("2.10");
    assertThat(RecordedConsole.run("report", "--prices", "/no/such/file").exitCode()).isEqualTo(2);
  }
}
