package dev.fallow.app.notice;

import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Bring messages to people, each on a thread of its own and only some at once. */
final class Messengers implements Executor, AutoCloseable {

  private static final int MOST_AT_ONCE = 16;

  private final Channel channel;
  private final NoticeSigns signs;
  private final Semaphore lines = new Semaphore(MOST_AT_ONCE);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  Messengers(Channel channel, NoticeSigns signs) {
    this.channel = channel;
    this.signs = signs;
  }

  @Override
  public void execute(Runnable errand) {
    threads.execute(errand);
  }

  /** Once, with the channel's own tries; nothing waits for it. */
  void send(List<Address> addresses, Message message) {
    if (!addresses.isEmpty()) {
      execute(() -> signs.delivery(addresses, message, deliver(addresses, message)));
    }
  }

  /** Tries all and waits for them; one who has it is enough. */
  Delivery deliver(List<Address> addresses, Message message) {
    try {
      lines.acquire();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
      return new Delivery.Failed("the program is ending", Optional.empty());
    }
    try {
      Delivery best = new Delivery.Refused("nobody is named");
      for (Address address : addresses) {
        Delivery one = channel.deliver(address, message);
        boolean better =
            one instanceof Delivery.Confirmed
                || (one instanceof Delivery.Failed && best instanceof Delivery.Refused);
        best = better || best instanceof Delivery.Refused ? one : best;
      }
      return best;
    } finally {
      lines.release();
    }
  }

  /** Takes no more errands and waits for those on their way. */
  void drain(Duration limit) {
    threads.shutdown();
    try {
      boolean _ = threads.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
