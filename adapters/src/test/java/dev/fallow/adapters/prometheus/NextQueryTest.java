package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Usage;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While an answer is read the next query is on its way, and never more than that one. */
@Timeout(30)
class NextQueryTest {

  private static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");
  private static final String EMPTY =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";

  private final List<Body> bodies = new CopyOnWriteArrayList<>();

  @Test
  void theServerWorksOnTheNextQueryWhileAnAnswerIsRead() {
    CountDownLatch second = new CountDownLatch(2);
    Usage usage =
        read(number -> {
          second.countDown();
          return new Body(EMPTY, second);
        });

    assertThat(usage).isInstanceOf(Usage.Complete.class);
    assertThat(bodies).hasSize(2).allMatch(body -> body.closed);
  }

  @Test
  void aReplyThatIsNotReadAnyMoreIsClosed() {
    CountDownLatch second = new CountDownLatch(2);
    Usage usage =
        read(number -> {
          second.countDown();
          return new Body(number == 0 ? "not JSON" : EMPTY, second);
        });

    assertThat(usage).isInstanceOf(Usage.Missing.class);
    assertThat(bodies).allMatch(body -> body.closed);
  }

  private Usage read(IntFunction<Body> answers) {
    PrometheusTransport transport =
        new PrometheusTransport() {
          @Override
          public String address() {
            return "nowhere";
          }

          @Override
          public Reply post(String path, String form) {
            Body body = answers.apply(bodies.size());
            bodies.add(body);
            return new Reply(200, "application/json", body);
          }

          @Override
          public void close() {}
        };
    try (PrometheusUsageSource source =
        new PrometheusUsageSource(
            transport, Set.of(Signal.GPU_UTIL, Signal.DRAM_ACTIVE), ReadLimits.forThisProcess())) {
      return source.read(AT, Duration.ofMinutes(30));
    }
  }

  /** Gives nothing away before both queries have been asked. */
  private static final class Body extends FilterInputStream {
    private final CountDownLatch before;
    private volatile boolean closed;

    Body(String text, CountDownLatch before) {
      super(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
      this.before = before;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      try {
        if (!before.await(10, TimeUnit.SECONDS)) {
          throw new IOException("the next query has not been asked");
        }
      } catch (InterruptedException stopped) {
        throw new IOException(stopped);
      }
      return super.read(buffer, offset, length);
    }

    @Override
    public void close() throws IOException {
      closed = true;
      super.close();
    }
  }
}
