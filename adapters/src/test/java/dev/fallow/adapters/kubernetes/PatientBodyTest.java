package dev.fallow.adapters.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PatientBodyTest {

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void bodyThatStopsComingFailsInsteadOfHanging() throws IOException {
    try (PatientBody body = new PatientBody(new Stalling(), Duration.ofMillis(200))) {
      assertThat(body.read()).isEqualTo('x');
      assertThatThrownBy(body::read).isInstanceOf(HttpTimeoutException.class);
    }
  }

  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void slowReaderIsNotTheServersFault() throws Exception {
    try (PatientBody body = new PatientBody(InputStream.nullInputStream(), Duration.ofMillis(50))) {
      new CountDownLatch(1).await(300, TimeUnit.MILLISECONDS);
      assertThat(body.read()).isEqualTo(-1);
    }
  }

  /** One byte, and then nothing until it is closed, as a body whose connection was cut. */
  private static final class Stalling extends InputStream {

    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean begun;

    @Override
    public int read() throws IOException {
      if (!begun) {
        begun = true;
        return 'x';
      }
      try {
        closed.await();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
      throw new IOException("closed");
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }
}
