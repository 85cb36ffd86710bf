package dev.fallow.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.fallow.core.Unavailable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server as clients meet it on a socket, honest ones and others. */
class HttpFrontTest {

  private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

  private final CountDownLatch gate = new CountDownLatch(1);
  private final CountDownLatch inside = new CountDownLatch(1);
  private final List<Throwable> defects = new CopyOnWriteArrayList<>();
  private final HttpFront front =
      HttpFront.start(
          "127.0.0.1",
          0,
          new Router(
              List.of(
                  Route.get("/hello", request -> Reply.text(200, "hello")),
                  Route.get(
                      "/things/{name}", r -> Reply.text(200, "<" + r.parameter("name") + ">")),
                  Route.of("POST", "/things/{name}", r -> Reply.text(200, "" + r.body().length)),
                  Route.get("/slow", request -> waitAtTheGate()),
                  Route.get("/empty", request -> Reply.text(204, "")),
                  Route.get("/bug", request -> Reply.text(200, "x").with("A", "b\r\nC: d")),
                  Route.get(
                      "/outage",
                      request -> {
                        throw new Unavailable("prometheus", "Prometheus does not answer", true);
                      }))),
          defects::add);

  @AfterEach
  void stop() {
    gate.countDown();
    front.stop(Duration.ZERO);
  }

  private Reply waitAtTheGate() {
    inside.countDown();
    try {
      gate.await();
    } catch (InterruptedException cut) {
      Thread.currentThread().interrupt();
    }
    return Reply.text(200, "at last");
  }

  @Test
  void answersCarryTheirSecurityHeaders() throws IOException {
    for (String path : List.of("/hello", "/nowhere", "/bug", "/../etc/passwd")) {
      assertThat(get(path).toLowerCase(Locale.ROOT))
          .contains("x-content-type-options: nosniff\r\n")
          .contains("cache-control: no-store\r\n")
          .contains("frame-ancestors 'none'");
    }
  }

  @Test
  void aSlashInsideANameIsNoBorder() throws IOException {
    assertThat(get("/things/a%2Fb%20%C3%A4")).endsWith("<a/b ä>");
    assertThat(get("/things/a/b")).startsWith("HTTP/1.1 404");
    assertThat(get("/things/")).startsWith("HTTP/1.1 404");
  }

  @Test
  void problemsAreJsonWithAReason() throws IOException {
    assertThat(get("/nowhere"))
        .contains("application/problem+json")
        .endsWith(
            "{\"type\":\"about:blank\",\"title\":\"Not Found\",\"status\":404,"
                + "\"detail\":\"there is nothing at this path\",\"reason\":\"NOT_FOUND\"}");
    assertThat(get("/outage"))
        .startsWith("HTTP/1.1 503")
        .contains("\"reason\":\"UNAVAILABLE\"", "Prometheus does not answer");
  }

  @Test
  void whoAsksTooOftenIsToldToWait() throws IOException {
    String last = get("/hello");
    for (int i = 0; i < 5_000 && last.startsWith("HTTP/1.1 200"); i++) {
      last = get("/hello");
    }
    assertThat(last).startsWith("HTTP/1.1 429").containsIgnoringCase("Retry-After: 1\r\n");
    assertThat(get("/healthz")).as("no such route, but asked").startsWith("HTTP/1.1 404");
  }

  /**
   * Otherwise a few who stop reading would hold all places of large answers, and what is in them.
   */
  @Test
  void whoDoesNotTakeAnAnswerIsCutOff() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    byte[] piece = new byte[LargeAnswers.LARGE];
    Body large = Body.of(Collections.nCopies(64, piece));
    HttpFront impatient =
        HttpFront.start(
            "127.0.0.1",
            0,
            Duration.ofMillis(300),
            request -> Reply.of(200, "text/plain", large).then(over::countDown),
            defects::add);
    try (RawClient client = new RawClient(impatient.port())) {
      client.send(request("GET /large HTTP/1.1", ""));
      assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(client.rest().length()).isLessThan(64 * LargeAnswers.LARGE);
    } finally {
      impatient.stop(Duration.ZERO);
    }
  }

  @Test
  void aWrongMethodIsToldTheRightOnes() throws IOException {
    assertThat(RawClient.exchange(front.port(), request("DELETE /things/a HTTP/1.1", "")))
        .startsWith("HTTP/1.1 405")
        .contains("Allow: GET, HEAD, POST\r\n");
  }

  @Test
  void aBugIsToldToUsAndNotToTheClient() throws IOException {
    assertThat(get("/bug")).startsWith("HTTP/1.1 500").doesNotContain("C: d", "Exception");
    assertThat(defects).singleElement().isInstanceOf(IllegalArgumentException.class);
    assertThat(get("/hello")).startsWith("HTTP/1.1 200");
  }

  @Test
  void headTellsTheLengthAndSendsNoBody() throws IOException {
    assertThat(RawClient.exchange(front.port(), request("HEAD /hello HTTP/1.1", "")))
        .startsWith("HTTP/1.1 200")
        .containsIgnoringCase("content-length: 5\r\n")
        .endsWith("\r\n\r\n");
    assertThat(get("/empty")).startsWith("HTTP/1.1 204").endsWith("\r\n\r\n");
  }

  @Test
  void aConnectionServesSeveralRequests() throws IOException {
    try (RawClient client = new RawClient(front.port())) {
      for (int i = 0; i < 3; i++) {
        client.send("POST /things/a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\n12345");
        assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("5");
      }
    }
  }

  /** A bar stands for a line's end, a zero sign for the character of that number. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /hello HTTP/1.1||",
        "GET /hello HTTP/1.1|Host: a|Host: b||",
        "GET /hello HTTP/1.1|Host: a|Host: a||",
        "GET /hello HTTP/1.1|Host: a b||",
        "GET /hello HTTP/1.1|Host: a/../b||",
        "GET /hello HTTP/1.1|Host: a,b||",
        "GET /hello HTTP/1.1|Host:||",
        "GET /hello HTTP/1.1|Host: user@a||",
        "GET /hello HTTP/9.9|Host: a||",
        "GET /hello HTTP/2.0|Host: a||",
        "GET http://elsewhere/hello HTTP/1.1|Host: a||",
        "GET //elsewhere/hello HTTP/1.1|Host: a||",
        "GET http://u@a/hello HTTP/1.1|Host: a||",
        "GET /hello HTTP/1.1|Host: a|X-Name: v␀alue||",
        "GET /hello HTTP/1.1|Host: a|X-Name: b\u0007ell||",
        "GET /hello#part HTTP/1.1|Host: a||",
        "get /hello HTTP/1.1|Host: a||",
        "POST /things/a HTTP/1.1|Host: a|Content-Length: +5||12345",
        "POST /things/a HTTP/1.1|Host: a|Content-Length: -5||12345",
        "POST /things/a HTTP/1.1|Host: a|Content-Length: 0x5||12345",
        "POST /things/a HTTP/1.1|Host: a|Content-Length: 5, 5||12345",
        "POST /things/a HTTP/1.1|Host: a|Content-Length: 5|Content-Length: 6||123456",
        "POST /things/a HTTP/1.1|Host: a|Content-Length: 99999999999999999999||12345",
        "POST /things/a HTTP/1.1|Host: a|Content-Length: 5|Transfer-Encoding: chunked||0||",
        "POST /things/a HTTP/1.1|Host : a||",
        "GET /%zz HTTP/1.1|Host: a||",
        "GET /things/%00 HTTP/1.1|Host: a||",
        "GET /things/%0d%0aX:%20y HTTP/1.1|Host: a||",
        "GET /things/%ff%fe HTTP/1.1|Host: a||",
        "GET /things/%c0%af HTTP/1.1|Host: a||",
        "GET /things/.. HTTP/1.1|Host: a||",
        "GET /things/%2e%2e HTTP/1.1|Host: a||",
        "GET /things/%2E./ HTTP/1.1|Host: a||",
        "GET /../hello HTTP/1.1|Host: a||",
        "GET /./hello HTTP/1.1|Host: a||"
      })
  void whatTwoServersCouldReadDifferentlyIsTurnedAway(String case_) throws IOException {
    String raw = case_.replace("|", "\r\n").replace('␀', '\0');
    assertThat(RawClient.exchange(front.port(), raw)).startsWith("HTTP/1.1 400");
    assertThat(get("/hello")).startsWith("HTTP/1.1 200");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /hello/../hello HTTP/1.1|Host: a||",
        "GET /..%2f..%2fetc/passwd HTTP/1.1|Host: a||",
        "GET /hello%2f HTTP/1.1|Host: a||",
        "GET /hello/ HTTP/1.1|Host: a||",
        "GET /HELLO HTTP/1.1|Host: a||",
        "GET /hello\\..\\x HTTP/1.1|Host: a||",
        "GET /hello;x=y HTTP/1.1|Host: a||",
        "OPTIONS * HTTP/1.1|Host: a||",
        "CONNECT a:80 HTTP/1.1|Host: a||",
        "TRACE /hello HTTP/1.1|Host: a||",
        "POST /things/a HTTP/1.1|Host: a|Transfer-Encoding: chunked, chunked||0||",
        "POST /things/a HTTP/1.1|Host: a|Transfer-Encoding: identity||0||",
        "POST /things/a HTTP/1.1|Host: a|Transfer-Encoding: chunked||zz|12345|0||",
        "POST /things/a HTTP/1.1|Host: a|Transfer-Encoding: chunked||-5|12345|0||",
        "\u0016\u0003\u0001\u0002",
        "|||||",
        "GET|/hello||",
        "GET /hello||"
      })
  void nothingElseHostileGetsAnAnswerWithData(String case_) throws IOException {
    String raw =
        case_.replace("|", "\r\n").replaceFirst("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
    assertThat(RawClient.exchange(front.port(), raw)).doesNotContain("HTTP/1.1 200");
    assertThat(get("/hello")).startsWith("HTTP/1.1 200");
  }

  @Test
  void theSameHostInTheTargetIsFine() throws IOException {
    assertThat(
            RawClient.exchange(
                front.port(),
                "GET http://A:80/hello HTTP/1.1\r\nHost: a:80\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void headersHaveAnEnd() throws IOException {
    assertThat(header("x".repeat(60_000))).startsWith("HTTP/1.1 200");
    assertThat(header("x".repeat(66_000))).doesNotContain("200 OK");
    assertThat(header("x".repeat(4_000_000))).doesNotContain("200 OK");
    assertThat(get("/things/" + "x".repeat(4_000_000))).doesNotContain("200 OK");
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 101; i++) {
      many.append("X-").append(i).append(": 1\r\n");
    }
    assertThat(RawClient.exchange(front.port(), request("GET /hello HTTP/1.1", many.toString())))
        .doesNotContain("200 OK");
    assertThat(get("/hello")).startsWith("HTTP/1.1 200");
  }

  /** As the API server passes on who asks: a header for each group, called by a GUID. */
  @Test
  void callersOfHundredsOfGroupsAreHeard() throws IOException {
    String group = "X-Remote-Group: 7d444840-9dc0-11d1-b245-5ffdce74fad2\r\n";
    assertThat(exchangeOrReset(request("GET /hello HTTP/1.1", group.repeat(700))))
        .startsWith("HTTP/1.1 200");
  }

  private String header(String value) throws IOException {
    return exchangeOrReset(request("GET /hello HTTP/1.1", "X-Long: " + value + "\r\n"));
  }

  @Test
  void aBodyOfTheLimitIsTakenAndOneByteMoreIsNot() throws IOException {
    String most = "x".repeat(1 << 20);
    assertThat(post("Content-Length: " + (1 << 20), most)).contains("200 OK").endsWith("1048576");
    assertThat(post("Content-Length: " + ((1 << 20) + 1), ""))
        .startsWith("HTTP/1.1 413")
        .contains("BODY_TOO_LARGE");
    String chunk = "10000\r\n" + "x".repeat(1 << 16) + "\r\n";
    assertThat(post("Transfer-Encoding: chunked", chunk.repeat(16) + "0\r\n\r\n"))
        .contains("200 OK")
        .endsWith("1048576");
    assertThat(post("Transfer-Encoding: chunked", chunk.repeat(16) + "1\r\nx\r\n"))
        .startsWith("HTTP/1.1 413");
  }

  private String post(String header, String body) throws IOException {
    try (RawClient client = new RawClient(front.port())) {
      return client.send(request("POST /things/a HTTP/1.1", header + "\r\n") + body).answer();
    }
  }

  @Test
  void whoNeverFinishesItsRequestIsCut() throws IOException {
    long start = System.nanoTime();
    try (RawClient headers = new RawClient(front.port());
        RawClient body = new RawClient(front.port())) {
      headers.send("GET /hello HTTP/1.1\r\nHost: a\r\nX-Slow: ");
      body.send("POST /things/a HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf");
      assertThat(headers.rest()).doesNotContain("200 OK");
      assertThat(body.rest()).doesNotContain("200 OK");
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isBetween(second(1), second(15));
  }

  @Test
  void slowClientsKeepNobodyElseWaiting() throws IOException {
    List<RawClient> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        RawClient client = new RawClient(front.port());
        slow.add(client);
        switch (i % 3) {
          case 0 -> client.send("GET /hello HTTP/1.1\r\nHost: a\r\nX-Slow: ");
          case 1 -> client.send("POST /things/a HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nh");
          default -> client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
        }
      }
      long start = System.nanoTime();
      for (int i = 0; i < 50; i++) {
        assertThat(get("/hello")).startsWith("HTTP/1.1 200");
      }
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(second(10));
    } finally {
      for (RawClient client : slow) {
        client.close();
      }
    }
  }

  @Test
  void stoppingLetsWhatRunsFinishAndTurnsTheRestAway() throws Exception {
    try (RawClient running = new RawClient(front.port());
        RawClient late = new RawClient(front.port())) {
      late.send(request("GET /hello HTTP/1.1", "").replace("Connection: close\r\n", ""));
      assertThat(late.answer()).startsWith("HTTP/1.1 200");
      running.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
      inside.await();
      CompletableFuture<Boolean> stopped =
          CompletableFuture.supplyAsync(() -> front.stop(second(20)), THREADS);
      await()
          .untilAsserted(() -> {
            late.send(request("GET /hello HTTP/1.1", "").replace("Connection: close\r\n", ""));
            assertThat(late.answer()).contains("STOPPING");
          });
      assertThat(stopped).isNotDone();
      gate.countDown();
      assertThat(running.rest()).startsWith("HTTP/1.1 200").endsWith("at last");
      assertThat(stopped.get()).isTrue();
    }
    assertThatThrownBy(() -> get("/hello")).isInstanceOf(IOException.class);
  }

  @Test
  void stoppingDoesNotWaitForEver() throws Exception {
    try (RawClient running = new RawClient(front.port())) {
      running.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
      inside.await();
      assertThat(front.stop(Duration.ofMillis(50))).isFalse();
      assertThat(running.rest()).doesNotContain("200 OK");
    }
  }

  @Test
  void stoppingIsQuickAfterABodyThatWasBrokenOff() throws Exception {
    try (RawClient broken = new RawClient(front.port())) {
      broken.send("POST /things/a HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf");
    }
    assertThat(get("/hello")).startsWith("HTTP/1.1 200");
    long start = System.nanoTime();
    assertThat(front.stop(second(20))).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(second(5));
  }

  @Test
  void whatTheOperatorHasSetStays() {
    assertThat(System.getProperty("sun.net.httpserver.maxReqTime")).isEqualTo("2");
    assertThat(System.getProperty("sun.net.httpserver.maxReqHeaders")).isEqualTo("100");
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    assertThatThrownBy(() ->
            HttpFront.start("127.0.0.1", front.port(), r -> Reply.text(200, ""), defects::add))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("127.0.0.1:" + front.port());
  }

  private String get(String path) throws IOException {
    return exchangeOrReset(request("GET " + path + " HTTP/1.1", ""));
  }

  /** A server that turns a request away before it is whole may cut it while it is being sent. */
  private String exchangeOrReset(String request) throws IOException {
    try (RawClient client = new RawClient(front.port())) {
      try {
        client.send(request);
      } catch (IOException cut) {
        return "";
      }
      return client.rest();
    }
  }

  private static String request(String line, String headers) {
    return line + "\r\nHost: h\r\nConnection: close\r\n" + headers + "\r\n";
  }

  private static Duration second(int seconds) {
    return Duration.ofSeconds(seconds);
  }
}
