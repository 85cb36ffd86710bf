package dev.fallow.app.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.Inspection;
import dev.fallow.app.demo.SimWorkshop;
import dev.fallow.core.prune.Decision;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplanationTest {

  private final Inspection inspection = new SimWorkshop(7).pruner().observe().inspection();

  @Test
  void everyGpuOfEveryPodHasItsRows() {
    assertThat(inspection.decisions()).isNotEmpty();
    for (Decision decision : inspection.decisions()) {
      List<List<?>> rows = new Explanation(decision, inspection.at()).rows();
      assertThat(rows).allSatisfy(row -> assertThat(row).hasSameSizeAs(rows.getFirst()));
      long signals =
          decision.assessment().pods().stream()
              .flatMap(pod -> pod.devices().stream())
              .mapToLong(device -> device.signals().size())
              .sum();
      long bare =
          decision.assessment().pods().stream().filter(pod -> pod.devices().isEmpty()).count();
      assertThat(rows).hasSize((int) (1 + signals + bare));
    }
  }
}
