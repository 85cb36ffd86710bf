package dev.fallow.app.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.app.WrongUse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {

  @TempDir Path folder;

  private static Settings of(
      Map<String, String> flags, Map<String, String> environment, Map<String, String> file) {
    return Settings.of(flags, environment, file, "fallow.yaml");
  }

  @Test
  void aFlagWinsOverTheEnvironmentThatOverTheFileThatOverTheDefault() {
    Map<String, String> flag = Map.of("duration", "10");
    Map<String, String> environment = Map.of("FALLOW_DURATION", "20");
    Map<String, String> file = Map.of("duration", "40");

    assertThat(of(flag, environment, file).of(Catalogue.DURATION)).hasMinutes(10);
    assertThat(of(Map.of(), environment, file).of(Catalogue.DURATION)).hasMinutes(20);
    assertThat(of(Map.of(), Map.of(), file).of(Catalogue.DURATION)).hasMinutes(40);
    assertThat(Settings.defaults().of(Catalogue.DURATION)).hasMinutes(30);
  }

  @Test
  void bareNumbersCountTheUnitOfTheFlagAndDurationsAreTakenToo() {
    assertThat(of(Map.of("duration", "90"), Map.of(), Map.of()).of(Catalogue.DURATION))
        .isEqualTo(Duration.ofMinutes(90));
    assertThat(of(Map.of("grace-period", "90"), Map.of(), Map.of()).of(Catalogue.GRACE_PERIOD))
        .isEqualTo(Duration.ofSeconds(90));
    assertThat(of(Map.of("duration", "20s"), Map.of(), Map.of()).of(Catalogue.DURATION))
        .isEqualTo(Duration.ofSeconds(20));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "duration | 0",
        "max-share-per-namespace | 1",
        "max-idle-share | 1.0",
        "duration | -5",
        "duration | banana",
        "duration | 99999999999999999999",
        "duration | 31d",
        "grace-period | -1",
        "idle-threshold | 0",
        "idle-threshold | 1.5",
        "idle-threshold | NaN",
        "idle-threshold | 1e999",
        "power-threshold | -3",
        "enabled-resources | dx",
        "namespace | (",
        "model-name | [",
        "model-name | ((a{1000}){1000}){1000}",
        "namespace | (a{999}){2,}",
        "prometheus-tls-mode | maybe",
        "prometheus-timeout | 0",
        "source | oracle"
      })
  void aValueThatCannotBeIsRefusedByTheNameOfItsOrigin(String setting, String value) {
    assertThatThrownBy(() -> of(Map.of(setting, value), Map.of(), Map.of()))
        .isInstanceOf(WrongUse.class)
        .hasMessageContaining("--" + setting)
        .hasMessageContaining("it takes");
  }

  @Test
  void aPatternThatWouldTakeAllMemoryIsRefused() {
    String deep = "(".repeat(100_000) + "a" + ")".repeat(100_000);

    assertThatThrownBy(() -> of(Map.of("model-name", deep), Map.of(), Map.of()))
        .isInstanceOf(WrongUse.class)
        .hasMessageContaining("--model-name")
        .hasMessageContaining("too large");
    assertThat(of(Map.of("model-name", "(H|A)[0-9]{3}.{0,99}"), Map.of(), Map.of())).isNotNull();
  }

  @Test
  void anUnknownVariableIsRefusedWithTheNearestName() {
    assertThatThrownBy(() -> of(Map.of(), Map.of("FALLOW_DURATON", "5"), Map.of()))
        .hasMessageContaining("did you mean FALLOW_DURATION?");
  }

  @Test
  void variablesThatKubernetesMakesOfAServiceAreNoSettings() {
    Map<String, String> ofServices =
        Map.of(
            "FALLOW_SERVICE_HOST", "10.0.0.1",
            "FALLOW_SERVICE_PORT_DASHBOARD", "8080",
            "FALLOW_PORT", "tcp://10.0.0.1:8080",
            "FALLOW_PORT_8080_TCP_ADDR", "10.0.0.1",
            "FALLOW_METRICS_SERVICE_HOST", "10.0.0.2",
            "FALLOW_METRICS_PORT", "tcp://10.0.0.2:443");
    assertThat(of(Map.of(), ofServices, Map.of()).of(Catalogue.DURATION)).hasMinutes(30);
    assertThat(of(Map.of(), ofServices, Map.of()).of(MetricsSettings.METRICS_PORT)).isEqualTo(8443);
    assertThat(
            of(Map.of(), Map.of("FALLOW_METRICS_PORT", "9443"), Map.of())
                .of(MetricsSettings.METRICS_PORT))
        .isEqualTo(9443);
  }

  @ParameterizedTest
  @CsvSource({
    "monitoring/prometheus-adapter, monitoring/prometheus-adapter:443",
    "keda/keda-metrics:6443, keda/keda-metrics:6443"
  })
  void aServiceIsNamedWithItsNamespace(String text, String place) {
    assertThat(
            of(Map.of("former-metrics-service", text), Map.of(), Map.of())
                .of(MetricsSettings.FORMER_METRICS_SERVICE))
        .hasToString("Optional[" + place + "]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"adapter", "a/b/c", "a/b:0", "a/b:65536", "a/b:x", "A/b", "evil.com/x@y"})
  void whatNamesNoServiceIsRefused(String text) {
    assertThatThrownBy(() -> of(Map.of("metrics-service", text), Map.of(), Map.of()))
        .isInstanceOf(WrongUse.class)
        .hasMessageContaining("--metrics-service");
  }

  @Test
  void metricsApisAreNamed() {
    assertThat(
            of(Map.of("metrics-apis", "external, custom"), Map.of(), Map.of())
                .of(MetricsSettings.METRICS_APIS))
        .hasSize(2);
    assertThatThrownBy(() -> of(Map.of("metrics-apis", "resource"), Map.of(), Map.of()))
        .isInstanceOf(WrongUse.class)
        .hasMessageContaining("custom, external");
  }

  @Test
  void aTokenIsNeverRepeatedInAComplaint() {
    assertThatThrownBy(() ->
            Setting.of(
                    "x-token",
                    "T",
                    "",
                    "t",
                    text -> {
                      throw new IllegalArgumentException("is wrong");
                    })
                .parse("s3cret", "--x-token"))
        .hasMessageNotContaining("s3cret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "duration: [",
        "- duration",
        "duration: {a: b}",
        "a: &a [*a]",
        "\tduration: 5",
        "duraton: 5",
        "duration: 5\nduration: 6",
        "duration:"
      })
  void aFileThatCannotBeUnderstoodIsRefusedByItsName(String text) throws Exception {
    Path file = Files.writeString(folder.resolve("fallow.yaml"), text);
    assertThatThrownBy(() -> of(Map.of(), Map.of(), SettingsFile.read(file)))
        .isInstanceOf(WrongUse.class)
        .hasMessageContaining("fallow.yaml");
  }

  @Test
  void patternsMatchWholeNamesAndCannotExplode() {
    var pattern =
        of(Map.of("namespace", "(a+)+$"), Map.of(), Map.of()).of(Catalogue.NAMESPACE_PATTERN);
    assertThat(pattern.orElseThrow().test("a".repeat(5_000) + "!")).isFalse();
    assertThat(pattern.orElseThrow().test("aaa")).isTrue();
    assertThat(pattern.orElseThrow().test("baaa")).isFalse();
  }

  @Test
  void everySettingIsDeclaredOnceAndSaysWhatItDoes() {
    Set<String> names = new HashSet<>();
    for (Setting<?> setting : Catalogue.all()) {
      assertThat(names.add(setting.name())).as(setting.name()).isTrue();
      assertThat(setting.sentence()).as(setting.name()).endsWith(".");
      assertThat(setting.range()).as(setting.name()).isNotEmpty();
    }
  }
}
