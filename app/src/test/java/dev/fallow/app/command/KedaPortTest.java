package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.autoscale.Numbers;
import dev.fallow.core.autoscale.ReadBook;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ClusterState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KedaPortTest {

  @TempDir private Path folder;

  private static Settings settings(Map<String, String> flags) {
    return Settings.of(flags, Map.of(), Map.of(), "fallow.yaml");
  }

  @Test
  void nothingIsServedUnlessAPortIsSet() {
    assertThat(KedaPort.of(Settings.defaults())).isEmpty();
    assertThat(new MetricsRole().switchedOn(Settings.defaults())).isFalse();
  }

  @Test
  void aPortAloneSwitchesItOn() {
    Settings settings = settings(Map.of("keda-port", "9443"));
    assertThat(KedaPort.of(settings)).contains(new KedaPort(9443, Optional.empty()));
    assertThat(new MetricsRole().switchedOn(settings)).isTrue();
  }

  @Test
  void aCertificateWithoutItsKeyIsRefused() {
    assertThatThrownBy(() -> KedaPort.of(settings(Map.of("keda-cert-file", "tls.crt"))))
        .isInstanceOf(WrongUse.class)
        .hasMessageContaining("--keda-key-file");
  }

  @Test
  void callersCannotBeToldApartWithoutTls() {
    assertThatThrownBy(() ->
            KedaPort.of(settings(Map.of("keda-port", "9443", "keda-client-ca-file", "ca.crt"))))
        .isInstanceOf(WrongUse.class)
        .hasMessageContaining("--keda-client-ca-file")
        .hasMessageContaining("--keda-cert-file");
  }

  @Test
  void filesThatCannotBeReadAreNamed() throws Exception {
    Path broken = Files.writeString(folder.resolve("tls.crt"), "not a certificate");
    for (Path file : List.of(broken, folder.resolve("absent"))) {
      KedaPort port =
          KedaPort.of(
                  settings(
                      Map.of(
                          "keda-port",
                          "9443",
                          "keda-cert-file",
                          file.toString(),
                          "keda-key-file",
                          file.toString())))
              .orElseThrow();
      assertThatThrownBy(() -> port.open(emptyBook()).close())
          .isInstanceOf(WrongUse.class)
          .hasMessageContaining("--keda-cert-file")
          .hasMessageContaining("PKCS #8");
    }
  }

  private static ReadBook emptyBook() {
    ClusterState nothing = ClusterState.of(List.of());
    Readings readings = new Readings(Instant.EPOCH, nothing, Surroundings.NONE, Map.of());
    return new ReadBook(new Numbers(readings, Optional.empty()), Set.of());
  }
}
