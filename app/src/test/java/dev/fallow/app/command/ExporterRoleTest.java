package dev.fallow.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.app.settings.Settings;
import dev.fallow.core.Unavailable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExporterRoleTest {

  private static final Unavailable TAKEN =
      new Unavailable("http", "cannot serve on 0.0.0.0:8080: Address already in use", false);

  private static Settings settings(Map<String, String> flags) {
    return Settings.of(flags, Map.of(), Map.of(), "");
  }

  /** The API server has been told by then that autoscalers are answered here. */
  @Test
  void aPlainPortThatIsTakenEndsNothingUnlessSomebodyHasNamedIt() {
    assertThat(ExporterRole.withoutPort(settings(Map.of()), TAKEN)).isNotNull();

    for (Map<String, String> named :
        List.of(Map.of("dashboard-port", "8080"), Map.of("metrics-addr", "0.0.0.0:8080"))) {
      assertThatThrownBy(() -> ExporterRole.withoutPort(settings(named), TAKEN)).isSameAs(TAKEN);
    }
  }
}
