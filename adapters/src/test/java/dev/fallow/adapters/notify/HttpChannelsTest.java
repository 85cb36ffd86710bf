package dev.fallow.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.notify.StubSite.Reply;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Delivery.Confirmed;
import dev.fallow.core.notice.Delivery.Failed;
import dev.fallow.core.notice.Delivery.Refused;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every channel over HTTP makes of what the other side does. */
@Timeout(120)
class HttpChannelsTest {

  private static final InstantSource CLOCK = InstantSource.fixed(Hostile.NOON);
  private static final String ECHO = "{\"ok\":false,\"error\":\"CANARY xoxb-CANARY\"}";

  @ParameterizedTest
  @EnumSource
  void whatTheOtherSideTakesIsConfirmed(Way way) {
    try (StubSite site = new StubSite(asked -> Reply.of(200, way.taken()))) {
      assertThat(delivered(way, site.url()))
          .isInstanceOfSatisfying(
              Confirmed.class,
              confirmed -> {
                assertThat(confirmed.at()).isEqualTo(Hostile.NOON);
                assertThat(confirmed.receipt()).isNotBlank();
              });
      assertThat(site.asked())
          .singleElement()
          .satisfies(asked -> {
            assertThat(asked.method()).isEqualTo("POST");
            assertThat(asked.headers().get("content-type")).startsWith("application/json");
            assertThat(asked.path() + asked.headers()).contains(way == Way.SLACK_APP ? "xoxb" : "");
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatTheOtherSideWillNeverTakeIsRefused(Way way) {
    for (int status : new int[] {400, 401, 403, 404, 405, 410, 413, 422}) {
      try (StubSite site = new StubSite(asked -> Reply.of(status, ECHO))) {
        assertThat(delivered(way, site.url()))
            .isInstanceOfSatisfying(
                Refused.class, no -> assertThat(no.sentence()).contains("" + status));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatMayPassFailsAndSaysWhenToComeBack(Way way) {
    for (int status : new int[] {408, 429, 500, 502, 503, 504}) {
      try (StubSite site =
          new StubSite(asked -> Reply.of(status, Map.of("Retry-After", "17"), ECHO))) {
        assertThat(delivered(way, site.url()))
            .isInstanceOfSatisfying(
                Failed.class,
                failed -> assertThat(failed.retryAfter()).contains(Duration.ofSeconds(17)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aDateToComeBackAtIsReadAndNonsenseIsNot(Way way) {
    assertThat(waitAfter(way, "Mon, 2 Nov 2026 12:01:00 GMT")).contains(Duration.ofMinutes(1));
    assertThat(waitAfter(way, "Mon, 2 Nov 2026 11:00:00 GMT")).contains(Duration.ZERO);
    assertThat(waitAfter(way, "999999999")).contains(Duration.ofDays(1));
    assertThat(waitAfter(way, "-5")).isEmpty();
    assertThat(waitAfter(way, "99999999999999999999")).isEmpty();
    assertThat(waitAfter(way, "soon CANARY")).isEmpty();
  }

  private static Optional<Duration> waitAfter(Way way, String header) {
    try (StubSite site = new StubSite(asked -> Reply.of(429, Map.of("Retry-After", header), ""))) {
      return ((Failed) delivered(way, site.url())).retryAfter();
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyIsFollowedElsewhere(Way way) {
    try (StubSite elsewhere = new StubSite(asked -> Reply.of(200, way.taken()))) {
      for (int status : new int[] {301, 302, 303, 307, 308}) {
        Map<String, String> location = Map.of("Location", elsewhere.url() + "/CANARY");
        try (StubSite site = new StubSite(asked -> Reply.of(status, location, way.taken()))) {
          assertThat(delivered(way, site.url())).isNotInstanceOf(Confirmed.class);
        }
      }
      assertThat(elsewhere.asked()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSiteThatHangsIsGivenUp(Way way) throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (RawSite site = new RawSite(client -> over.await())) {
      assertThat(delivered(way, site.url(), hasty()))
          .isInstanceOfSatisfying(
              Failed.class, failed -> assertThat(failed.sentence()).contains("within 300 ms"));
      over.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSiteThatStopsInTheMiddleOfItsAnswerIsGivenUp(Way way) throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (RawSite site =
        new RawSite(client -> {
          client
              .getOutputStream()
              .write(
                  "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"ok\":true"
                      .getBytes(StandardCharsets.UTF_8));
          over.await();
        })) {
      assertThat(delivered(way, site.url(), hasty())).isInstanceOf(Failed.class);
      over.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void a200AfterTheTimeIsNoConfirmation(Way way) throws Exception {
    CountDownLatch givenUp = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    try (RawSite site =
        new RawSite(client -> {
          givenUp.await();
          try {
            client.getOutputStream().write(ok(way.taken()).getBytes(StandardCharsets.UTF_8));
          } finally {
            answered.countDown();
          }
        })) {
      Delivery delivery = delivered(way, site.url(), hasty());
      givenUp.countDown();
      answered.await();
      assertThat(delivery).isInstanceOf(Failed.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aResetConnectionFails(Way way) throws Exception {
    try (RawSite site = RawSite.resetting()) {
      assertThat(delivered(way, site.url())).isInstanceOf(Failed.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClosedPortFails(Way way) throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    assertThat(delivered(way, "http://127.0.0.1:" + port)).isInstanceOf(Failed.class);
  }

  @ParameterizedTest
  @EnumSource
  void aPortThatCannotBeFails(Way way) {
    assertThat(delivered(way, "http://127.0.0.1:99999")).isInstanceOf(Failed.class);
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerWithoutEndIsCutAndFails(Way way) {
    try (StubSite site =
        new StubSite(asked ->
            new Reply(
                200,
                Map.of(),
                0,
                out -> {
                  byte[] chunk = (way.taken() + " ".repeat(1000)).getBytes(StandardCharsets.UTF_8);
                  for (int i = 0; i < 100_000; i++) {
                    out.write(chunk);
                  }
                }))) {
      assertThat(delivered(way, site.url())).isInstanceOf(Failed.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatIsNoWebServerFails(Way way) throws Exception {
    try (RawSite site = RawSite.answering("220 mail CANARY ready\r\n")) {
      assertThat(delivered(way, site.url())).isInstanceOf(Failed.class);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptedDeliveryFailsAndStaysInterrupted(Way way) {
    try (StubSite site = new StubSite(asked -> Reply.of(200, way.taken()))) {
      Thread.currentThread().interrupt();
      assertThat(delivered(way, site.url())).isInstanceOf(Failed.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingButATrue2xxIsEverConfirmed(Way way) throws Exception {
    Random random = new Random(20261116);
    String[] bodies = {
      way.taken(),
      "",
      "ok",
      "{}",
      "{\"ok\":false}",
      "{\"ok\":\"true\"}",
      "{\"ok\":1}",
      "[true]",
      "{\"ok\":false,\"ok\":true}",
      "{\"ok\":true} {\"ok\":false}",
      "{\"ok\":true",
      "<html>200</html>"
    };
    int confirmed = 0;
    try (Outbound outbound = new Outbound(Network.of(Map.of(), Optional.empty()))) {
      for (int i = 0; i < 150; i++) {
        int status = random.nextBoolean() ? 200 + random.nextInt(7) : 200 + random.nextInt(400);
        boolean bodiless = status == 204 || status == 304;
        String body = bodiless ? "" : bodies[random.nextInt(bodies.length)];
        boolean whole = bodiless || random.nextInt(4) > 0;
        int claimed = body.length() + (whole ? 0 : 1 + random.nextInt(50));
        String raw = "HTTP/1.1 " + status + " OK\r\nContent-Length: " + claimed + "\r\n\r\n" + body;
        try (RawSite site = RawSite.answering(raw)) {
          Delivery delivery =
              way.channel(outbound, CLOCK, site.url()).deliver(way.address(), Hostile.good());
          boolean may = status / 100 == 2 && whole;
          boolean said = way != Way.SLACK_APP || body.equals(way.taken());
          assertThat(delivery instanceof Confirmed).as(raw).isEqualTo(may && said);
          confirmed += delivery instanceof Confirmed ? 1 : 0;
        }
      }
    }
    assertThat(confirmed).as("the property is about something").isPositive();
  }

  @ParameterizedTest
  @EnumSource
  void anAddressOfASecretThatCannotBeReadIsNotRepeated(Way way) {
    for (String base :
        new String[] {"ht tp://CANARY", "ftp://CANARY", "http://CANARY:x/", "/CANARY"}) {
      try (Outbound outbound = new Outbound(Network.of(Map.of(), Optional.empty()))) {
        if (way == Way.SLACK_APP) {
          continue;
        }
        assertThatThrownBy(() -> way.channel(outbound, CLOCK, base))
            .isInstanceOf(IllegalArgumentException.class)
            .hasNoCause()
            .hasMessageNotContaining("CANARY");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void plainHttpIsForThisMachineOnlyWhereTheAddressOrTheTokenIsTheSecret(Way way) {
    try (Outbound outbound = new Outbound(Network.of(Map.of(), Optional.empty()))) {
      if (way != Way.SIGNED) {
        assertThatThrownBy(() -> way.channel(outbound, CLOCK, "http://hooks.example"))
            .hasMessageContaining("https://");
      }
      assertThat(way.channel(outbound, CLOCK, "https://hooks.example").toString())
          .doesNotContain("CANARY");
    }
  }

  private static String ok(String body) {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
  }

  private static Network hasty() {
    return new Network(Map.of(), Optional.empty(), Duration.ofSeconds(5), Duration.ofMillis(300));
  }

  private static Delivery delivered(Way way, String base) {
    return delivered(way, base, Network.of(Map.of(), Optional.empty()));
  }

  /** Whatever comes of it, no secret is in it. */
  private static Delivery delivered(Way way, String base, Network network) {
    try (Outbound outbound = new Outbound(network)) {
      Delivery delivery = way.channel(outbound, CLOCK, base).deliver(way.address(), Hostile.good());
      assertThat(delivery.toString()).doesNotContain("CANARY");
      return delivery;
    }
  }
}
