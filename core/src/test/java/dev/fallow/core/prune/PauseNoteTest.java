package dev.fallow.core.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PauseNoteTest {

  @ParameterizedTest
  @CsvSource({
    "8,40320,NVIDIA A100-SXM4-80GB,false,8 NVIDIA A100-SXM4-80GB",
    "8,40320,NVIDIA A100-SXM4-80GB,true,8 spot NVIDIA A100-SXM4-80GB",
    "3,2160,NVIDIA A100-SXM4-80GB,false,3 (3/7 cards) NVIDIA A100-SXM4-80GB",
    "14,10080,NVIDIA A100-SXM4-80GB,true,14 (2 cards) spot NVIDIA A100-SXM4-80GB",
    "1,1260,'',false,1 (1/4 cards)",
    "1,0,'',false,1 (0 cards)",
    "2,10080,'',true,2 spot",
    "2,10080,'',false,2"
  })
  void whatAPauseFreedIsReadBackAsItWasWritten(
      int gpus, long parts, String model, boolean spot, String text) {
    assertThat(new PauseNote("fallow", "idle", gpus, parts, model, spot).freed()).isEqualTo(text);
    assertThat(PauseNote.freedBy(marked(text)))
        .contains(new PauseNote("", "", gpus, parts, model, spot));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "-1",
        "123456 T4",
        "16385 T4",
        "2 (3 cards)",
        "1 (99999999/1 cards)",
        "2(1 cards)"
      })
  void whatNobodyWroteFreesNothing(String text) {
    assertThat(PauseNote.freedBy(marked(text)).map(PauseNote::parts).orElse(0L)).isZero();
  }

  private static OwnerObject marked(String freed) {
    return OwnerObject.of(
        new ObjectTree(
            Map.of("metadata", Map.of("annotations", Map.of(Annotations.FREED, freed)))));
  }
}
