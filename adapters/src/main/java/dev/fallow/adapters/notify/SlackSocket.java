package dev.fallow.adapters.notify;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fallow.adapters.WaryJson;
import dev.fallow.core.notice.RetrySchedule;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Socket mode: Slack brings pressed buttons over a connection that we open, so that no port has to
 * be open to it. Each envelope is acknowledged the moment it is read, before anything is done about
 * it; Slack brings it again otherwise, and one that comes twice is handled once. A connection that
 * ends, or falls silent, is replaced.
 */
public final class SlackSocket implements AutoCloseable {

  /** What happens on the line, for whoever wants to know. */
  public sealed interface Event {

    record Connected() implements Event {}

    record Pressed(SlackInteraction interaction) implements Event {}

    /** Something came that is not acted on. */
    record Ignored(String sentence) implements Event {}

    /** There is no connection now; another attempt follows. */
    record Down(String sentence, Duration retryIn) implements Event {}
  }

  /**
   * @param base where Slack's API is; with a slash at its end
   * @param socketBase the only place besides Slack where a socket may be; for tests
   * @param silence after which a connection counts as dead; Slack pings every few seconds
   */
  public record Settings(
      URI base, Optional<URI> socketBase, RetrySchedule retries, Duration silence) {

    public static Settings at(URI base) {
      return new Settings(
          base,
          Optional.empty(),
          new RetrySchedule(Duration.ofSeconds(1), Duration.ofMinutes(2)),
          Duration.ofSeconds(90));
    }
  }

  private static final Pattern ENVELOPE = Pattern.compile("[A-Za-z0-9_-]{1,100}");

  /** A connection that ends sooner was none; otherwise two sides could chase each other. */
  private static final Duration LASTING = Duration.ofSeconds(10);

  private static final int MOST_REMEMBERED = 1000;
  private static final int MOST_AT_ONCE = 64;

  private final Outbound outbound;
  private final SlackApi api;
  private final Settings settings;
  private final SlackInteraction.Expected expected;
  private final Consumer<Event> handler;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();

  /** One thread, so that what is told of the line is told in its order. */
  private final ExecutorService teller =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("slack-line").factory());

  private final Semaphore room = new Semaphore(MOST_AT_ONCE);
  private final Set<String> known = new LinkedHashSet<>();
  private final Thread loop;

  /** Connects at once and stays connected until it is closed. */
  public SlackSocket(
      Outbound outbound,
      Secret appToken,
      SlackInteraction.Expected expected,
      Settings settings,
      Consumer<Event> handler) {
    this.outbound = outbound;
    this.api = new SlackApi(outbound, settings.base(), appToken);
    this.settings = settings;
    this.expected = expected;
    this.handler = handler;
    this.loop = Thread.ofVirtual().name("slack-socket").unstarted(this::stayConnected);
    this.loop.start();
  }

  private void stayConnected() {
    int failures = 0;
    while (closing.getCount() > 0) {
      long began = System.nanoTime();
      SlackConnection.End end = connectOnce();
      if (closing.getCount() == 0) {
        return;
      }
      boolean lasted = end.wasUp() && System.nanoTime() - began > LASTING.toNanos();
      failures = lasted ? 1 : Math.min(failures + 1, 1000);
      Duration delay =
          end.refresh() && failures == 1
              ? Duration.ZERO
              : settings.retries().delay("slack-socket", failures, Optional.empty());
      tell(new Event.Down(end.sentence(), delay));
      try {
        if (closing.await(delay.toMillis(), TimeUnit.MILLISECONDS)) {
          return;
        }
      } catch (InterruptedException ending) {
        return;
      }
    }
  }

  private SlackConnection.End connectOnce() {
    Optional<URI> url;
    switch (api.callForm("apps.connections.open", new byte[0])) {
      case SlackApi.Said.Ok ok -> url = socket(WaryJson.text(ok.content(), "url"));
      case SlackApi.Said.No no -> {
        return down(SlackErrors.sentence(no.code()));
      }
      case SlackApi.Said.Trouble trouble -> {
        return down(
            switch (trouble.answer()) {
              case Answer.Broken broken -> broken.sentence();
              case Answer.Whole whole -> "answers with status " + whole.status();
            });
      }
    }
    if (url.isEmpty()) {
      return down("names a socket that is not its own");
    }
    SlackConnection connection = new SlackConnection(this::received);
    CompletableFuture<WebSocket> opening = outbound.connect(url.get(), connection);
    try {
      WebSocket socket = opening.get(outbound.wholeTimeout().toMillis(), TimeUnit.MILLISECONDS);
      return connection.stay(socket, settings.silence(), closing);
    } catch (ExecutionException failure) {
      return down(outbound.sentence(failure.getCause()));
    } catch (TimeoutException late) {
      opening.cancel(true);
      return down("does not open the socket in time");
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      return down("is not waited for: the program is ending");
    }
  }

  private static SlackConnection.End down(String what) {
    return new SlackConnection.End("Slack " + what, false, false);
  }

  /** Slack's own host over TLS: the address holds a ticket that opens the connection. */
  private Optional<URI> socket(String text) {
    try {
      URI url = new URI(text);
      String host = url.getHost() == null ? "" : url.getHost();
      boolean slacks =
          "wss".equals(url.getScheme())
              && (host.equals("slack.com") || host.endsWith(".slack.com"))
              && url.getRawUserInfo() == null;
      boolean tests =
          settings.socketBase().isPresent()
              && settings.socketBase().get().getRawAuthority().equals(url.getRawAuthority());
      return slacks || tests ? Optional.of(url) : Optional.empty();
    } catch (URISyntaxException none) {
      return Optional.empty();
    }
  }

  /** Runs on the connection's own thread and only ever hands over. */
  private void received(JsonNode frame, SlackConnection connection) {
    switch (WaryJson.text(frame, "type")) {
      case "hello" -> {
        connection.up();
        tell(new Event.Connected());
      }
      case "disconnect" ->
          connection.end(
              "Slack asks to connect anew",
              !WaryJson.text(frame, "reason").equals("link_disabled"));
      default -> envelope(frame, connection);
    }
  }

  private void envelope(JsonNode frame, SlackConnection connection) {
    String id = WaryJson.text(frame, "envelope_id");
    if (!ENVELOPE.matcher(id).matches()) {
      tell(new Event.Ignored("something came over the socket that is no envelope"));
      return;
    }
    if (!room.tryAcquire()) {
      // Not acknowledged, so that Slack brings it again.
      return;
    }
    connection.send(WaryJson.write(Map.of("envelope_id", id)));
    boolean handed = false;
    try {
      if (isNew(id) && closing.getCount() > 0) {
        handlers.execute(() -> handle(frame));
        handed = true;
      }
    } finally {
      if (!handed) {
        room.release();
      }
    }
  }

  private void handle(JsonNode frame) {
    try {
      if (!WaryJson.text(frame, "type").equals("interactive")) {
        handler.accept(new Event.Ignored("an envelope of another type than interactive came"));
        return;
      }
      switch (SlackInteraction.parsePayload(WaryJson.write(frame.path("payload")), expected)) {
        case SlackInteraction.Parsed.Pressed pressed ->
            handler.accept(new Event.Pressed(pressed.interaction()));
        case SlackInteraction.Parsed.Problem problem ->
            handler.accept(new Event.Ignored(problem.sentence()));
      }
    } finally {
      room.release();
    }
  }

  private synchronized boolean isNew(String id) {
    if (!known.add(id)) {
      return false;
    }
    if (known.size() > MOST_REMEMBERED) {
      known.remove(known.iterator().next());
    }
    return true;
  }

  private void tell(Event event) {
    if (closing.getCount() > 0) {
      teller.execute(() -> handler.accept(event));
    }
  }

  /** Ends the connection; what was acknowledged is still handled, for a few seconds at most. */
  @Override
  public void close() {
    closing.countDown();
    try {
      loop.join(Duration.ofSeconds(3));
      loop.interrupt();
      handlers.shutdown();
      teller.shutdownNow();
      if (!handlers.awaitTermination(3, TimeUnit.SECONDS)) {
        handlers.shutdownNow();
      }
    } catch (InterruptedException ending) {
      loop.interrupt();
      handlers.shutdownNow();
      teller.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
