package dev.fallow.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CardPartsTest {

  @ParameterizedTest
  @CsvSource({
    "1g.5gb, 720", "1g.10gb+me, 720", "1g.10gb.me, 720", "2g.24gb, 1440", "3g.40gb, 2160",
    "4g.40gb, 2880", "7g.80gb, 5040", "1g.6gb, 1260", "2g.12gb, 2520", "2g.12gb.me, 2520",
    "4g.24gb, 5040", "1g.12gb, 720", "99g.1gb, 5040"
  })
  void aProfileIsItsSeventhsOfTheCardAndOnTheA30ItsQuarters(String profile, int parts) {
    assertThat(CardParts.ofProfile(profile)).isEqualTo(parts);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "g.5gb", "A100", "1c.2g.10gb"})
  void whatIsNoProfileIsAWholeCard(String profile) {
    assertThat(CardParts.ofProfile(profile)).isEqualTo(CardParts.WHOLE);
  }

  @Test
  void theResourceNamesTheProfile() {
    assertThat(CardParts.profileOf("nvidia.com/mig-1g.5gb")).isEqualTo("1g.5gb");
    assertThat(CardParts.profileOf("nvidia.com/mig-1g.5gb.shared")).isEqualTo("1g.5gb");
    assertThat(CardParts.profileOf("nvidia.com/gpu")).isEmpty();
  }

  @Test
  void whatOnlyMeasuresACardIsNone() {
    assertThat(CardParts.isDevice("gpu.intel.com/i915")).isTrue();
    assertThat(CardParts.isDevice("gpu.intel.com/millicores")).isFalse();
    assertThat(CardParts.isDevice("gpu.intel.com/xe_monitoring")).isFalse();
    Map<String, Integer> asked = Map.of("gpu.intel.com/i915", 2, "gpu.intel.com/millicores", 500);
    assertThat(new Accelerators(asked).count()).isEqualTo(2);
  }
}
