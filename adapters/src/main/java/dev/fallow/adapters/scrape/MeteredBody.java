package dev.fallow.adapters.scrape;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * An answer's body that may neither be too long nor take too long: HTTP clients bound the wait for
 * the headers only, and an exporter that drips would hold its reader for ever. When the time is
 * over, the body underneath is closed, which wakes the reader.
 */
final class MeteredBody extends FilterInputStream {

  /** More bytes than are taken, or more time than is given. */
  static final class Exceeded extends IOException {
    Exceeded(String message) {
      super(message);
    }
  }

  private final int limit;
  private final Duration time;
  private final ScheduledFuture<?> alarm;
  private volatile boolean late;
  private int taken;
  private int last = '\n';

  MeteredBody(InputStream body, int limit, Duration time, Duration left) {
    super(body);
    this.limit = limit;
    this.time = time;
    this.alarm =
        ForkJoinPool.commonPool()
            .schedule(this::expire, Math.max(1, left.toMillis()), TimeUnit.MILLISECONDS);
  }

  /** Whether what was read so far ends with a whole line. */
  boolean endsWithLine() {
    return last == '\n';
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read;
    try {
      read = in.read(buffer, offset, length);
    } catch (IOException broken) {
      if (late) {
        throw tooLate();
      }
      throw broken;
    }
    if (late) {
      throw tooLate();
    }
    if (read > 0) {
      taken += read;
      last = buffer[offset + read - 1];
      if (taken > limit) {
        throw new Exceeded("answers with more than " + limit + " bytes");
      }
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    alarm.cancel(false);
    in.close();
  }

  private Exceeded tooLate() {
    return new Exceeded("did not answer completely within " + time.toMillis() + " ms");
  }

  private void expire() {
    late = true;
    try {
      in.close();
    } catch (IOException alreadyBroken) {
      // The reader is told that it is late; how the connection ended does not matter any more.
    }
  }
}
