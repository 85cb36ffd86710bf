package dev.fallow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyReaderTest {

  private final BodyReader bodies = new BodyReader();

  @Test
  void allBodiesTogetherHaveALimitToo() throws IOException {
    List<BodyReader.Lease> held = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      held.add(bodies.lease());
      assertThat(read(held.getLast(), 1 << 20)).isEqualTo(1 << 20);
    }
    try (BodyReader.Lease oneMore = bodies.lease()) {
      Rejected rejected = catchThrowableOfType(Rejected.class, () -> read(oneMore, 1));
      assertThat(rejected.problem().reason()).isEqualTo("TOO_BUSY");
    }
    held.getFirst().close();
    assertThat(read(bodies.lease(), 1 << 20)).isEqualTo(1 << 20);
  }

  @Test
  void whatIsTurnedAwayHoldsNothing() throws IOException {
    for (int i = 0; i < 100; i++) {
      try (BodyReader.Lease lease = bodies.lease()) {
        Rejected rejected = catchThrowableOfType(Rejected.class, () -> read(lease, (1 << 20) + 1));
        assertThat(rejected.problem().status()).isEqualTo(413);
      }
    }
    assertThat(read(bodies.lease(), 1 << 20)).isEqualTo(1 << 20);
  }

  private static int read(BodyReader.Lease lease, int size) throws IOException {
    return lease.read(new ByteArrayInputStream(new byte[size]), -1).length;
  }
}
