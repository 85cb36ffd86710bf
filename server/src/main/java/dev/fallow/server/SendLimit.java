package dev.fallow.server;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives whoever is sent something a time to take it in. Without one, a reader that has stopped
 * reading holds what it is sent for ever, and a place among those who are sent much.
 */
public final class SendLimit {

  private static final ScheduledThreadPoolExecutor WATCH = watch();

  private final Duration patience;

  /** Writes to a connection. */
  @FunctionalInterface
  public interface Sending {
    void send() throws IOException;
  }

  public SendLimit(Duration patience) {
    this.patience = patience;
  }

  private static ScheduledThreadPoolExecutor watch() {
    ScheduledThreadPoolExecutor watch =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("send-limit").factory());
    watch.setRemoveOnCancelPolicy(true);
    return watch;
  }

  /**
   * @throws IOException also when the time is over; the connection is then closed
   */
  public void send(Sending sending) throws IOException {
    Writer writer = new Writer(Thread.currentThread());
    Future<?> end = WATCH.schedule(writer::cut, patience.toMillis(), TimeUnit.MILLISECONDS);
    try {
      sending.send();
    } finally {
      end.cancel(false);
      writer.done();
    }
  }

  /** To interrupt a thread is to close the channel that it is writing to. */
  private static final class Writer {
    private @Nullable Thread thread;

    Writer(Thread thread) {
      this.thread = thread;
    }

    synchronized void cut() {
      if (thread != null) {
        thread.interrupt();
      }
    }

    synchronized void done() {
      thread = null;
    }
  }
}
