package dev.fallow.core.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class SamplesTest {

  private static final Instant BASE = Instant.parse("2026-11-02T10:00:00Z");

  @Test
  void whatANeighbourSharesChangesNothingThatIsRead() {
    Samples still = samples(new long[] {30, 60, 90}, 0, 0, 0).build();

    assertReads(samples(new long[] {30, 60, 90}, 0, 0, 0).build(still), "30=0.0 60=0.0 90=0.0 ");
    assertReads(samples(new long[] {30, 60, 90}, 0, 7, 0).build(still), "30=0.0 60=7.0 90=0.0 ");
    assertReads(samples(new long[] {30, 60}, 0, 0).build(still), "30=0.0 60=0.0 ");
    assertReads(
        samples(new long[] {30, 60, 90, 120}, 0, 0, 0, 0).build(still),
        "30=0.0 60=0.0 90=0.0 120=0.0 ");
    assertReads(samples(new long[] {90, 30, 60}, 3, 1, 2).build(still), "30=1.0 60=2.0 90=3.0 ");
    assertReads(still, "30=0.0 60=0.0 90=0.0 ");
  }

  @Test
  void aNeighbourWithAnotherBaseSharesNothing() {
    Samples later = new Samples.Builder(BASE.plusSeconds(30)).add(millis(60), 5).build();

    assertReads(new Samples.Builder(BASE).add(millis(30), 5).build(later), "30=5.0 ");
  }

  private static Samples.Builder samples(long[] seconds, double... values) {
    Samples.Builder builder = new Samples.Builder(BASE);
    for (int i = 0; i < seconds.length; i++) {
      builder.add(millis(seconds[i]), values[i]);
    }
    return builder;
  }

  private static long millis(long seconds) {
    return BASE.toEpochMilli() + 1000 * seconds;
  }

  private static void assertReads(Samples samples, String expected) {
    StringBuilder read = new StringBuilder();
    for (int i = 0; i < samples.size(); i++) {
      read.append((samples.millis(i) - BASE.toEpochMilli()) / 1000)
          .append('=')
          .append(samples.value(i))
          .append(' ');
    }
    assertThat(read.toString()).isEqualTo(expected);
  }
}
