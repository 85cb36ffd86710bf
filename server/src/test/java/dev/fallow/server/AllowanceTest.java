package dev.fallow.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AllowanceTest {
  private static final long SECOND = 1_000_000_000L;

  private final Allowance allowance = new Allowance(10, 40, 2);

  private long granted(String client, long nanos, int asked) {
    return IntStream.range(0, asked).filter(i -> allowance.take(client, nanos)).count();
  }

  @Test
  void aBurstIsLetThroughAndThenSoManyASecond() {
    assertThat(granted("a", 0, 100)).isEqualTo(40);
    assertThat(granted("a", SECOND, 100)).isEqualTo(10);
    assertThat(granted("a", 3 * SECOND, 100)).isEqualTo(20);
    assertThat(granted("a", 3_600 * SECOND, 100)).as("nothing is saved up beyond it").isEqualTo(40);
  }

  @Test
  void oneClientDoesNotUseUpAnothers() {
    granted("a", 0, 100);
    assertThat(granted("b", 0, 100)).isEqualTo(40);
  }

  @Test
  void aClockThatStandsStillGivesNothingBack() {
    granted("a", SECOND, 100);
    assertThat(granted("a", SECOND, 10)).isZero();
    assertThat(granted("a", 0, 10)).isZero();
  }

  @Test
  void ofManyTheQuietestIsForgotten() {
    granted("a", 0, 100);
    granted("b", 0, 1);
    granted("a", 0, 1);
    granted("c", 0, 1);
    assertThat(granted("a", 0, 1)).as("still known").isZero();
    assertThat(granted("b", 0, 100)).as("forgotten").isEqualTo(40);
  }
}
