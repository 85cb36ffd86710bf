package dev.fallow.core.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.OwnerObject;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PauseNoteTest {

  @ParameterizedTest
  @CsvSource({
    "8,NVIDIA A100-SXM4-80GB,false,8 NVIDIA A100-SXM4-80GB",
    "8,NVIDIA A100-SXM4-80GB,true,8 spot NVIDIA A100-SXM4-80GB",
    "2,'',true,2 spot",
    "2,'',false,2"
  })
  void whatAPauseFreedIsReadBackAsItWasWritten(int gpus, String model, boolean spot, String text) {
    assertThat(new PauseNote("fallow", "idle", gpus, model, spot).freed()).isEqualTo(text);
    OwnerObject paused =
        OwnerObject.of(
            new ObjectTree(
                Map.of("metadata", Map.of("annotations", Map.of(Annotations.FREED, text)))));
    assertThat(PauseNote.freedBy(paused)).contains(new PauseNote("", "", gpus, model, spot));
  }
}
