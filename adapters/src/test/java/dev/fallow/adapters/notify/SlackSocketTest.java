package dev.fallow.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.notify.SlackSocket.Event;
import dev.fallow.adapters.notify.StubSite.Reply;
import dev.fallow.core.notice.Button.Action;
import dev.fallow.core.notice.RetrySchedule;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class SlackSocketTest {

  private static final String HELLO = "{\"type\":\"hello\",\"num_connections\":1}";
  private static final SlackInteraction.Expected OURS =
      new SlackInteraction.Expected("T1", Optional.empty(), Optional.empty());

  private final StubSocket socket = new StubSocket();
  private final AtomicReference<Reply> opened =
      new AtomicReference<>(
          Reply.of(200, "{\"ok\":true,\"url\":\"" + socket.url() + "?ticket=CANARY\"}"));
  private final StubSite api = new StubSite(asked -> opened.get());
  private final Outbound outbound = new Outbound(Network.of(Map.of(), Optional.empty()));
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    outbound.close();
    api.close();
    socket.close();
  }

  @Test
  void aPressedButtonIsAcknowledgedAndHandedOver() throws Exception {
    try (SlackSocket _ = connected(Duration.ofMinutes(1))) {
      StubSocket.Line line = socket.line();
      line.say(HELLO);
      assertThat(events.take()).isEqualTo(new Event.Connected());

      line.say(envelope("e-1", "interactive"));
      assertThat(socket.heard()).isEqualTo("{\"envelope_id\":\"e-1\"}");
      assertThat(events.take())
          .isInstanceOfSatisfying(
              Event.Pressed.class,
              pressed -> {
                assertThat(pressed.interaction().action()).isEqualTo(Action.KEEP_8H);
                assertThat(pressed.interaction().userId()).isEqualTo("U1");
              });
      assertThat(api.asked().getFirst().path()).isEqualTo("/api/apps.connections.open");
      assertThat(api.asked().getFirst().headers())
          .containsEntry("authorization", "Bearer xapp-CANARY");
    }
  }

  @Test
  void theAcknowledgementDoesNotWaitForTheHandler() throws Exception {
    CountDownLatch slow = new CountDownLatch(1);
    try (SlackSocket _ =
        new SlackSocket(
            outbound,
            Secret.of("xapp-CANARY"),
            OURS,
            settings(Duration.ofMinutes(1)),
            event -> await(slow))) {
      StubSocket.Line line = socket.line();
      line.say(HELLO);
      line.say(envelope("e-1", "interactive"));
      line.say(envelope("e-2", "interactive"));
      assertThat(socket.heard()).contains("e-1");
      assertThat(socket.heard()).contains("e-2");
      slow.countDown();
    }
  }

  @Test
  void anEnvelopeThatComesTwiceIsHandledOnceAndAcknowledgedTwice() throws Exception {
    try (SlackSocket _ = connected(Duration.ofMinutes(1))) {
      StubSocket.Line line = socket.line();
      line.say(envelope("e-1", "interactive"));
      line.say(envelope("e-1", "interactive"));
      assertThat(socket.heard()).contains("e-1");
      assertThat(socket.heard()).contains("e-1");
      assertThat(events.take()).isInstanceOf(Event.Pressed.class);
      line.say(envelope("e-2", "events_api"));
      assertThat(events.take()).isInstanceOf(Event.Ignored.class);
      assertThat(events).isEmpty();
    }
  }

  @Test
  void whatIsOfAnotherWorkspaceIsAcknowledgedAndIgnored() throws Exception {
    try (SlackSocket _ = connected(Duration.ofMinutes(1))) {
      StubSocket.Line line = socket.line();
      line.say(envelope("e-1", "interactive").replace("T1", "T2"));
      assertThat(socket.heard()).contains("e-1");
      assertThat(events.take())
          .isInstanceOfSatisfying(
              Event.Ignored.class,
              ignored -> assertThat(ignored.sentence()).contains("another workspace"));
    }
  }

  @Test
  void junkOnTheLineDoesNotEndIt() throws Exception {
    try (SlackSocket _ = connected(Duration.ofMinutes(1))) {
      StubSocket.Line line = socket.line();
      line.say("nonsense");
      line.say("[]");
      line.say("{\"type\":\"interactive\",\"envelope_id\":\"a\\\"b\"}");
      line.ping();
      line.say(envelope("e-1", "interactive"));
      assertThat(socket.heard()).isEqualTo("(pong)");
      assertThat(socket.heard()).contains("e-1");
    }
  }

  @Test
  void whenSlackAsksForANewConnectionThereIsOne() throws Exception {
    try (SlackSocket _ = connected(Duration.ofMinutes(1))) {
      StubSocket.Line line = socket.line();
      line.say(HELLO);
      assertThat(events.take()).isInstanceOf(Event.Connected.class);
      line.say("{\"type\":\"disconnect\",\"reason\":\"refresh_requested\"}");
      assertThat(events.take())
          .isEqualTo(new Event.Down("Slack asks to connect anew", Duration.ZERO));
      assertThat(socket.heard()).isEqualTo("(close)");

      StubSocket.Line next = socket.line();
      next.say(HELLO);
      assertThat(events.take()).isInstanceOf(Event.Connected.class);
      next.say(envelope("e-1", "interactive"));
      assertThat(events.take()).isInstanceOf(Event.Pressed.class);
    }
  }

  @Test
  void aLineThatBreaksOrFallsSilentIsReplaced() throws Exception {
    try (SlackSocket _ = connected(Duration.ofMillis(600))) {
      socket.line().hangUp();
      assertThat(events.take()).isInstanceOf(Event.Down.class);
      socket.line();
      assertThat(events.take())
          .isInstanceOfSatisfying(
              Event.Down.class, down -> assertThat(down.sentence()).contains("silent"));
      socket.line();
    }
  }

  @Test
  void aWrongTokenIsSaidAndTriedAgainWithPatience() throws Exception {
    Reply good = opened.getAndSet(Reply.of(200, "{\"ok\":false,\"error\":\"invalid_auth\"}"));
    try (SlackSocket _ = connected(Duration.ofMinutes(1))) {
      for (int i = 0; i < 3; i++) {
        assertThat(events.take())
            .isInstanceOfSatisfying(
                Event.Down.class,
                down -> {
                  assertThat(down.sentence()).contains("invalid_auth");
                  assertThat(down.retryIn()).isPositive();
                  assertThat(down.toString()).doesNotContain("CANARY");
                });
      }
      opened.set(good);
      socket.line();
    }
  }

  @Test
  void aSocketSomewhereElseThanAtSlackIsNotOpened() throws Exception {
    for (String url :
        new String[] {
          "ws://wss-primary.slack.com/CANARY",
          "wss://slack.com.evil.example/CANARY",
          "wss://a@evil.example/CANARY",
          "wss://evilslack.com/CANARY",
          "not an address CANARY",
          ""
        }) {
      opened.set(Reply.of(200, "{\"ok\":true,\"url\":\"" + url + "\"}"));
      try (SlackSocket _ = connected(Duration.ofMinutes(1))) {
        assertThat(events.take())
            .isInstanceOfSatisfying(
                Event.Down.class,
                down ->
                    assertThat(down.sentence()).contains("not its own").doesNotContain("CANARY"));
      }
      events.clear();
    }
    assertThat(socket.waiting()).isZero();
  }

  @Test
  void closingSaysGoodbyeAndNothingMoreIsHeard() throws Exception {
    SlackSocket one = connected(Duration.ofMinutes(1));
    StubSocket.Line line = socket.line();
    line.say(HELLO);
    assertThat(events.take()).isInstanceOf(Event.Connected.class);
    one.close();
    assertThat(socket.heard()).isEqualTo("(close)");
    assertThat(events).isEmpty();
    assertThat(socket.waiting()).isZero();
    assertThat(one.toString()).doesNotContain("CANARY");
  }

  private SlackSocket connected(Duration silence) {
    return new SlackSocket(
        outbound, Secret.of("xapp-CANARY"), OURS, settings(silence), events::add);
  }

  private SlackSocket.Settings settings(Duration silence) {
    return new SlackSocket.Settings(
        URI.create(api.url() + "/api/"),
        Optional.of(URI.create(socket.url())),
        new RetrySchedule(Duration.ofMillis(5), Duration.ofMillis(50)),
        silence);
  }

  private static String envelope(String id, String type) {
    return """
    {"type":"%s","envelope_id":"%s","accepts_response_payload":false,"payload":
     {"type":"block_actions","team":{"id":"T1"},"user":{"id":"U1","username":"alice","team_id":"T1"},
      "channel":{"id":"C1"},"message":{"ts":"17.0001"},
      "actions":[{"action_id":"fallow_keep_8h","value":"m-1 Deployment/ml/trainer"}]}}
    """
        .formatted(type, id);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
