package dev.fallow.server.stream;

import dev.fallow.server.Body;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.SendLimit;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.fleet.FleetPicture;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Tells whoever listens of every new picture, by server-sent events. A listener who is too slow
 * misses some and gets the next one whole; nothing is queued for anybody.
 */
public final class FleetStream {

  private static final Body STILL_HERE = Body.of(": \n\n".getBytes(StandardCharsets.UTF_8));

  private final Door door;
  private final Duration silence;
  private final SendLimit limit;
  private final Places places = new Places();
  private Frame latest;
  private long number;

  public FleetStream(Door door) {
    this(door, Duration.ofSeconds(15), Duration.ofSeconds(60));
  }

  /**
   * @param silence after how long a line is sent that only keeps the connection open
   * @param patience after how long a listener is cut off who does not take what is sent
   */
  FleetStream(Door door, Duration silence, Duration patience) {
    this.door = door;
    this.silence = silence;
    this.limit = new SendLimit(patience);
    this.latest = Frame.after(0, FleetPicture.NONE, FleetPicture.NONE, List.of());
  }

  public List<Route> routes() {
    return List.of(Route.get("/api/v1/stream", this::open));
  }

  /**
   * @param deeds what was done since the picture before, a row of the history each
   */
  public synchronized void publish(FleetPicture picture, List<Map<String, Object>> deeds) {
    latest = Frame.after(++number, latest.picture, picture, deeds);
    notifyAll();
  }

  public int listeners() {
    return places.taken();
  }

  private Reply open(Request request) {
    Caller caller = door.reader(request);
    return Reply.stream(
            "text/event-stream",
            out -> {
              if (!places.enter(caller)) {
                out.write(
                    "event: full\ndata: {}\nretry: 120000\n\n".getBytes(StandardCharsets.UTF_8));
                return;
              }
              try {
                tell(out, request, caller);
              } finally {
                places.leave(caller);
              }
            })
        .with("X-Accel-Buffering", "no");
  }

  /**
   * What one listener is sent next. Not the frame, which holds the whole picture: listeners who are
   * slow would hold one each.
   */
  private record Message(long number, Body body) {}

  /** Until the listener has gone, or is not who they were: a token may end, or be taken back. */
  private void tell(OutputStream out, Request request, Caller caller) throws IOException {
    long heard = 0;
    while (!Thread.currentThread().isInterrupted()) {
      Message message = message(heard, caller);
      if (message.number != heard && !isStill(caller, request)) {
        return;
      }
      limit.send(() -> {
        message.body.writeTo(out);
        out.flush();
      });
      heard = message.number;
    }
  }

  private Message message(long heard, Caller caller) {
    Frame frame = next(heard);
    if (frame.number == heard) {
      return new Message(heard, STILL_HERE);
    }
    boolean whole = heard == 0 || frame.number != heard + 1;
    return new Message(frame.number, frame.body(whole, door.sight(caller)));
  }

  private boolean isStill(Caller caller, Request request) {
    try {
      return door.caller(request).equals(caller);
    } catch (Rejected nobody) {
      return false;
    }
  }

  /** The latest frame, as soon as it is another than the one heard, or after the silence. */
  private synchronized Frame next(long heard) {
    long end = System.nanoTime() + silence.toNanos();
    while (latest.number == heard || latest.number == 0) {
      long millis = (end - System.nanoTime()) / 1_000_000;
      if (millis <= 0) {
        break;
      }
      try {
        wait(millis);
      } catch (InterruptedException stopping) {
        Thread.currentThread().interrupt();
        break;
      }
    }
    return latest;
  }
}
