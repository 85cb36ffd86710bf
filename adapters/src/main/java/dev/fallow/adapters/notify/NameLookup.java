package dev.fallow.adapters.notify;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Looks a host up within a time: the system's own resolver may take minutes over a dead server. */
final class NameLookup {

  private NameLookup() {}

  static InetAddress of(String host, Duration time) throws IOException {
    FutureTask<InetAddress> lookup = new FutureTask<>(() -> InetAddress.getByName(host));
    Thread.ofVirtual().name("name-lookup").start(lookup);
    try {
      return lookup.get(time.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      throw new SocketTimeoutException();
    } catch (ExecutionException unknown) {
      throw new UnknownHostException();
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }
}
