package dev.fallow.adapters;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A body that has to be read within a time: HTTP clients bound the wait for the headers, and a
 * server that drips one byte a minute would hold the reader for ever. When the time is over the
 * body underneath is closed, which must wake a reader, and reading fails with {@link
 * SocketTimeoutException}. The time begins with the first read: before that it is the reader who is
 * busy elsewhere.
 */
public final class TimedBody extends FilterInputStream {

  private final Duration left;
  private @Nullable ScheduledFuture<?> alarm;
  private volatile boolean late;

  public TimedBody(InputStream body, Duration left) {
    super(body);
    this.left = left;
  }

  private void expire() {
    late = true;
    try {
      in.close();
    } catch (IOException alreadyBroken) {
      // The reader is told that it is late; how the connection ended does not matter any more.
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (alarm == null) {
      alarm =
          ForkJoinPool.commonPool().schedule(this::expire, left.toMillis(), TimeUnit.MILLISECONDS);
    }
    try {
      int read = in.read(buffer, offset, length);
      if (late) {
        throw new SocketTimeoutException("it was not complete in the time allowed");
      }
      return read;
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      if (late) {
        throw new SocketTimeoutException("it was not complete in the time allowed");
      }
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    if (alarm != null) {
      alarm.cancel(false);
    }
    in.close();
  }
}
