package dev.fallow.systemtests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.fallow.rig.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** As much of Slack as a daemon talks to: it takes messages, or does not, and knows its members. */
final class StubSlack implements AutoCloseable {

  /** What becomes of a message. */
  enum Mood {
    TAKES,
    BREAKS,
    /** Nothing is answered until the mood changes; then it was taken. */
    HANGS,
    /** It is taken, and that is said seconds later, though in time. */
    LATE
  }

  /** Less than anybody waits for an answer. */
  private static final Duration LATENESS = Duration.ofSeconds(5);

  private final HttpServer server;
  private final Map<String, String> members;
  private final List<Json> messages = new CopyOnWriteArrayList<>();
  private final List<Instant> lateAnswers = new CopyOnWriteArrayList<>();
  private volatile Mood mood;
  private volatile CountDownLatch hanging = new CountDownLatch(1);

  StubSlack(Mood mood, Map<String, String> members) {
    this.mood = mood;
    this.members = members;
    try {
      server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/api/chat.postMessage", this::take);
    server.createContext("/api/users.info", this::member);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/api/";
  }

  void turns(Mood other) {
    mood = other;
    hanging.countDown();
    hanging = new CountDownLatch(1);
  }

  /** Everything that was sent, whatever was answered. */
  List<Json> messages() {
    return messages;
  }

  /** When it was said of messages, late, that they were taken. */
  List<Instant> lateAnswers() {
    return lateAnswers;
  }

  private void take(HttpExchange exchange) throws IOException {
    messages.add(Json.parse(body(exchange)));
    Mood now = mood;
    try {
      if (now == Mood.HANGS) {
        hanging.await();
      }
      if (now == Mood.LATE) {
        boolean _ = hanging.await(LATENESS.toMillis(), TimeUnit.MILLISECONDS);
        lateAnswers.add(Instant.now());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (now == Mood.BREAKS) {
      answer(exchange, 500, "no");
    } else {
      answer(exchange, 200, "{\"ok\":true,\"channel\":\"C1\",\"ts\":\"17.1\"}");
    }
  }

  private void member(HttpExchange exchange) throws IOException {
    String email = members.get(body(exchange).replace("user=", ""));
    answer(
        exchange,
        200,
        email == null
            ? "{\"ok\":false,\"error\":\"user_not_found\"}"
            : "{\"ok\":true,\"user\":{\"team_id\":\"T1\",\"profile\":{\"email\":\"%s\"}}}"
                .formatted(email));
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    hanging.countDown();
    server.stop(0);
  }
}
