package dev.fallow.adapters.kubernetes;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A body that does not wait for ever: when no byte has come for a while, reading fails. The time
 * limit of a request ends with the headers, and a connection that was cut silently never reports
 * it.
 */
final class PatientBody extends FilterInputStream {

  private final Duration patience;
  private volatile long lastByteAt = System.nanoTime();
  private volatile boolean reading;
  private volatile boolean closed;
  private volatile boolean gaveUp;

  PatientBody(InputStream body, Duration patience) {
    super(body);
    this.patience = patience;
    checkAfter(patience);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    // Time that the reader itself spends between two reads is not the server's.
    lastByteAt = System.nanoTime();
    reading = true;
    try {
      return in.read(buffer, offset, length);
    } catch (IOException broken) {
      if (gaveUp) {
        HttpTimeoutException silent =
            new HttpTimeoutException("no byte for " + patience.toSeconds() + " s");
        silent.initCause(broken);
        throw silent;
      }
      throw broken;
    } finally {
      reading = false;
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    in.close();
  }

  private void checkAfter(Duration pause) {
    CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS, Runnable::run)
        .execute(this::check);
  }

  private void check() {
    if (closed) {
      return;
    }
    Duration silent = Duration.ofNanos(System.nanoTime() - lastByteAt);
    if (reading && silent.compareTo(patience) >= 0) {
      gaveUp = true;
      try {
        close();
      } catch (IOException alreadyGone) {
        // That is what was wanted.
      }
    } else {
      Duration left = patience.minus(silent);
      checkAfter(left.compareTo(Duration.ofMillis(100)) > 0 ? left : patience);
    }
  }
}
