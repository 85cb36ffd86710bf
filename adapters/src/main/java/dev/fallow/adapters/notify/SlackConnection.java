package dev.fallow.adapters.notify;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fallow.adapters.WaryJson;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One WebSocket to Slack from its opening to its end. */
final class SlackConnection implements WebSocket.Listener {

  /**
   * How it ended.
   *
   * @param wasUp whether Slack had said hello
   * @param refresh whether Slack asked for a new connection, which needs no patience
   */
  record End(String sentence, boolean wasUp, boolean refresh) {}

  private static final int LONGEST_FRAME = 512 * 1024;
  private static final long PULSE_MILLIS = 250;

  private final BiConsumer<JsonNode, SlackConnection> frames;
  private final CompletableFuture<End> end = new CompletableFuture<>();
  private final StringBuilder parts = new StringBuilder();
  private CompletableFuture<?> sending = CompletableFuture.completedFuture(null);
  private volatile @Nullable WebSocket socket;
  private volatile boolean up;
  private volatile long heardAt = System.nanoTime();

  SlackConnection(BiConsumer<JsonNode, SlackConnection> frames) {
    this.frames = frames;
  }

  /** Waits until it ends, falls silent, or the program closes it. */
  End stay(WebSocket open, Duration silence, CountDownLatch closing) throws InterruptedException {
    try {
      while (true) {
        try {
          return end.get(PULSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException stillThere) {
          if (closing.getCount() == 0) {
            return new End("closed", up, false);
          }
          if (System.nanoTime() - heardAt > silence.toNanos()) {
            return new End("Slack fell silent", up, false);
          }
        }
      }
    } catch (ExecutionException impossible) {
      return new End("Slack's socket broke", up, false);
    } finally {
      goodbye(open);
    }
  }

  /** After what is still to be sent, and without waiting for the other side to say it too. */
  private synchronized void goodbye(WebSocket open) {
    sending =
        sending
            .thenCompose(before -> open.sendClose(WebSocket.NORMAL_CLOSURE, ""))
            .orTimeout(1, TimeUnit.SECONDS)
            .whenComplete((done, failure) -> open.abort());
  }

  void up() {
    up = true;
  }

  void end(String sentence, boolean refresh) {
    end.complete(new End(sentence, up, refresh && up));
  }

  /** One after another, as a WebSocket demands. */
  synchronized void send(byte[] json) {
    WebSocket open = socket;
    if (open == null) {
      return;
    }
    String text = new String(json, StandardCharsets.UTF_8);
    sending =
        sending
            .thenCompose(before -> open.sendText(text, true))
            .whenComplete((done, failure) -> {
              if (failure != null) {
                end("Slack's socket broke", false);
              }
            });
  }

  @Override
  public void onOpen(WebSocket open) {
    socket = open;
    heardAt = System.nanoTime();
    open.request(1);
  }

  @Override
  public @Nullable CompletionStage<?> onText(WebSocket open, CharSequence data, boolean last) {
    heardAt = System.nanoTime();
    if (parts.length() + data.length() > LONGEST_FRAME) {
      end("Slack sends a frame that is too long", false);
      return null;
    }
    parts.append(data);
    if (last) {
      Optional<JsonNode> frame = WaryJson.object(parts.toString().getBytes(StandardCharsets.UTF_8));
      parts.setLength(0);
      frame.ifPresent(one -> frames.accept(one, this));
    }
    open.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onBinary(WebSocket open, ByteBuffer data, boolean last) {
    open.request(1);
    return null;
  }

  /** The client itself answers with a pong. */
  @Override
  public @Nullable CompletionStage<?> onPing(WebSocket open, ByteBuffer message) {
    heardAt = System.nanoTime();
    open.request(1);
    return null;
  }

  @Override
  public @Nullable CompletionStage<?> onClose(WebSocket open, int status, String reason) {
    end("Slack closed the socket", false);
    return null;
  }

  @Override
  public void onError(WebSocket open, Throwable failure) {
    end("Slack's socket broke", false);
  }
}
