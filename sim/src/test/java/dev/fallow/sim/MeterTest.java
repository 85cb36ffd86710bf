package dev.fallow.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.idle.IdleRule;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MeterTest {

  @ParameterizedTest
  @EnumSource(GpuModel.class)
  void workShowsAndStillnessShowsNothing(GpuModel model) {
    for (List<String> profiles : List.of(List.<String>of(), List.of("3g.40gb"))) {
      SimNode node = new SimNode("n", model, 1, 1, profiles, Set.of(), Exporter.steady(1));
      SimDevice device = SimDevice.of(1, List.of(node)).getFirst();
      boolean video = !model.amd() && !device.mig();
      boolean cut = !device.mig() || model == GpuModel.A100;
      for (Work work : Work.values()) {
        if (cut && (video || work != Work.ENCODING)) {
          for (long look = 0; look < 2000; look++) {
            assertThat(shows(device, work, look))
                .as("%s at %d", work, look)
                .isEqualTo(work.active());
          }
        }
      }
    }
  }

  private static boolean shows(SimDevice device, Work work, long look) {
    return device.node().model().signals(device.mig()).stream()
        .anyMatch(signal -> {
          double value = Meter.read(signal, work, device, look);
          assertThat(signal.possible(value)).as("%s %s", signal, value).isTrue();
          return IdleRule.DEFAULT.active(signal, (float) value);
        });
  }
}
