package dev.fallow.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.notify.StubSite.Reply;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class SlackAppTest {

  private static final InstantSource CLOCK = InstantSource.fixed(Hostile.NOON);

  @ParameterizedTest
  @CsvSource({
    "not_in_channel, /invite",
    "channel_not_found, correct the address",
    "invalid_auth, --slack-bot-token",
    "token_revoked, --slack-bot-token",
    "missing_scope, chat:write",
    "is_archived, another"
  })
  void whatSlackRefusesIsSaidWithItsCure(String error, String cure) {
    assertThat(posted(Reply.of(200, "{\"ok\":false,\"error\":\"" + error + "\"}")))
        .isInstanceOfSatisfying(
            Delivery.Refused.class, no -> assertThat(no.sentence()).contains(cure, "Slack"));
  }

  @ParameterizedTest
  @CsvSource({"ratelimited", "internal_error", "something_new", "'xoxb-CANARY'", "''"})
  void whatPassesOrCannotBeReadFails(String error) {
    assertThat(
            posted(
                Reply.of(
                    200,
                    Map.of("Retry-After", "30"),
                    "{\"ok\":false,\"error\":\"" + error + "\"}")))
        .isInstanceOfSatisfying(
            Delivery.Failed.class,
            failed -> assertThat(failed.retryAfter()).contains(Duration.ofSeconds(30)));
  }

  @Test
  void aTokenThatCannotBeOneIsNotRepeated() {
    try (Outbound outbound = outbound()) {
      for (String token : new String[] {"xoxb-CANARY-ü", "xoxb CANARY", "xoxb-CANARY-\u2603"}) {
        assertThatThrownBy(() ->
                new SlackApp(
                    outbound, CLOCK, Secret.of(token), URI.create("https://slack.example/api/")))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageNotContaining("CANARY");
      }
    }
    assertThatThrownBy(() -> Secret.of("CANARY\r\nX: y"))
        .hasMessageNotContaining("CANARY")
        .hasMessageContaining("line breaks");
    assertThatThrownBy(() -> Secret.of(" ")).hasMessageContaining("blank");
    assertThat(Secret.of("CANARY")).hasToString("***").isEqualTo(Secret.of(" CANARY\n"));
  }

  @Test
  void theReceiptIsWhereTheMessageIs() {
    assertThat(posted(Reply.of(200, "{\"ok\":true,\"channel\":\"C1\",\"ts\":\"17.0001\"}")))
        .isEqualTo(new Delivery.Confirmed(Hostile.NOON, "C1/17.0001"));
    assertThat(posted(Reply.of(200, "{\"ok\":true,\"channel\":\"xoxb-CANARY\",\"ts\":17}")))
        .isEqualTo(new Delivery.Confirmed(Hostile.NOON, "ok"));
  }

  @Test
  void aMemberIsAskedForOnceInTenMinutes() {
    SettableClock clock = new SettableClock(Hostile.NOON);
    try (StubSite site = new StubSite(asked -> Reply.of(200, user("alice@example.com")));
        Outbound outbound = outbound()) {
      SlackUsers users = users(outbound, clock, site, 2);

      assertThat(users.email("U1")).isEqualTo(new SlackUsers.Found.Email("alice@example.com"));
      users.email("U1");
      assertThat(site.asked()).hasSize(1);
      assertThat(site.asked().getFirst().text()).isEqualTo("user=U1");

      clock.pass(Duration.ofMinutes(10));
      users.email("U1");
      assertThat(site.asked()).hasSize(2);

      users.email("U2");
      users.email("U3");
      users.email("U1");
      assertThat(site.asked()).as("no more than two are remembered").hasSize(5);
    }
  }

  @Test
  void whoIsGoneABotAStrangerOrOfAnAddressThatNobodyConfirmedHasNone() {
    for (String content :
        new String[] {
          "{\"ok\":true,\"user\":{\"team_id\":\"T1\",\"profile\":{}}}",
          user("a@b.c", "\"deleted\":true"),
          user("a@b.c", "\"is_bot\":true"),
          user("a@b.c", "\"is_bot\":\"yes\""),
          user("a@b.c", "\"is_stranger\":true"),
          user("a@b.c", "\"is_email_confirmed\":false"),
          user("a@b.c").replace("T1", "T2"),
          "{\"ok\":true,\"user\":{\"profile\":{\"email\":\"a@b.c\"}}}",
          user("a@b.c\\r\\nBcc: x@y.z"),
          user("a@b@c.d"),
          "{\"ok\":false,\"error\":\"user_not_found\"}"
        }) {
      try (StubSite site = new StubSite(asked -> Reply.of(200, content));
          Outbound outbound = outbound()) {
        assertThat(users(outbound, CLOCK, site, 9).email("U1"))
            .as(content)
            .isInstanceOf(SlackUsers.Found.None.class);
      }
    }
  }

  @Test
  void aFailureIsNotRemembered() {
    try (StubSite site = new StubSite(asked -> Reply.of(500, "CANARY"));
        Outbound outbound = outbound()) {
      SlackUsers users = users(outbound, CLOCK, site, 9);

      assertThat(users.email("U1")).isInstanceOf(SlackUsers.Found.Failed.class);
      assertThat(users.email("U1").toString()).doesNotContain("CANARY");
      assertThat(site.asked()).hasSize(2);
      assertThat(users.email("U1&user=U2")).isInstanceOf(SlackUsers.Found.None.class);
      assertThat(site.asked()).hasSize(2);
    }
  }

  @Test
  void aReplyToAPressIsEscapedToo() {
    try (StubSite site = new StubSite(asked -> Reply.of(200, "ok"));
        Outbound outbound = outbound()) {
      assertThat(
              new SlackReply(outbound, CLOCK)
                  .send(URI.create(site.url() + "/CANARY"), "kept <!channel>", false))
          .isInstanceOf(Delivery.Confirmed.class);
      assertThat(site.asked().getFirst().text()).contains("&lt;!channel&gt;", "ephemeral");
    }
  }

  @Test
  void anAddressGoesToItsChannelAndAMissingOneNamesItsSetting() {
    Channel told = (Address to, Message message) -> new Delivery.Confirmed(Hostile.NOON, to.text());
    Channels channels = new Channels(Map.of("mail", told));

    assertThat(channels.deliver(new Address("mail", "a@b.c"), Hostile.good()))
        .isEqualTo(new Delivery.Confirmed(Hostile.NOON, "mail:a@b.c"));
    Map.of("slack", "--slack-bot-token", "teams", "--teams-webhook", "webhook", "--webhook")
        .forEach((channel, setting) ->
            assertThat(channels.deliver(new Address(channel, "x"), Hostile.good()))
                .isInstanceOfSatisfying(
                    Delivery.Refused.class,
                    no -> assertThat(no.sentence()).contains(channel, setting)));
    assertThat(channels.deliver(new Address("sms", "x"), Hostile.good()))
        .isInstanceOf(Delivery.Refused.class);
  }

  private static String user(String email) {
    return user(email, "\"is_email_confirmed\":true");
  }

  private static String user(String email, String more) {
    return "{\"ok\":true,\"user\":{\"team_id\":\"T1\",%s,\"profile\":{\"email\":\"%s\"}}}"
        .formatted(more, email);
  }

  private static SlackUsers users(Outbound outbound, InstantSource clock, StubSite site, int most) {
    return new SlackUsers(
        outbound, clock, Secret.of("xoxb-CANARY"), URI.create(site.url() + "/api/"), "T1", most);
  }

  private static Outbound outbound() {
    return new Outbound(Network.of(Map.of(), Optional.empty()));
  }

  private static Delivery posted(Reply reply) {
    try (StubSite site = new StubSite(asked -> reply);
        Outbound outbound = outbound()) {
      Delivery delivery =
          new SlackApp(outbound, CLOCK, Secret.of("xoxb-CANARY"), URI.create(site.url() + "/api/"))
              .deliver(new Address("slack", "#ml-team"), Hostile.good());
      assertThat(delivery.toString()).doesNotContain("CANARY");
      assertThat(site.asked())
          .singleElement()
          .satisfies(asked -> {
            assertThat(asked.path()).isEqualTo("/api/chat.postMessage");
            assertThat(asked.headers()).containsEntry("authorization", "Bearer xoxb-CANARY");
          });
      return delivery;
    }
  }
}
