package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.settings.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WebAddressTest {

  private static Settings settings(Map<String, String> flags) {
    return Settings.of(flags, Map.of(), Map.of(), "");
  }

  @Test
  void whoNamesTwoPortsIsToldWhichOneIsServed() {
    Settings two = settings(Map.of("metrics-addr", "127.0.0.1:9090", "dashboard-port", "8081"));

    assertThat(WebAddress.of(two).port()).isEqualTo(9090);
    assertThat(WebAddress.warning(two).orElseThrow())
        .contains("--metrics-addr", "--dashboard-port")
        .contains("on port 9090")
        .contains("nothing on 8081");
  }

  @Test
  void onePortIsNoMatterForWords() {
    assertThat(WebAddress.warning(settings(Map.of()))).isEmpty();
    assertThat(WebAddress.warning(settings(Map.of("metrics-addr", ":9090")))).isEmpty();
    assertThat(WebAddress.warning(settings(Map.of("dashboard-port", "9090")))).isEmpty();
    assertThat(
            WebAddress.warning(
                settings(Map.of("metrics-addr", "0.0.0.0:9090", "dashboard-port", "9090"))))
        .isEmpty();
  }
}
