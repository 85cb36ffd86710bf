package dev.fallow.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fallow.adapters.notify.StubSite.Reply;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Names and annotations stay text, whatever they say. */
@Timeout(120)
class HostileTextTest {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<!channel> come",
        "<!here|x>",
        "<@U0123>",
        "<https://evil.example|Keep it>",
        "@channel @here @everyone @Channel",
        "a & b &lt;!channel&gt;",
        "`; rm -rf`",
        "```\nblock",
        "*bold* _italic_ ~struck~",
        "> quoted",
        "a\nb\r\nc\u2028d\u0085e",
        "pay\u202eload\u200b",
        ":tada: party"
      })
  void inSlackNothingOfItFormatsMentionsOrLinks(String evil) {
    for (Way way : List.of(Way.SLACK_APP, Way.SLACK_WEBHOOK)) {
      JsonNode content = sent(way, Hostile.all(evil));
      List<String> texts = texts(content);
      assertThat(texts.size()).isGreaterThan(4);
      // Our own links, dates and bold frames are all that may be there.
      for (String text : texts) {
        String ours =
            text.replaceAll("<!date\\^[0-9]+\\^\\{date_short_pretty\\} \\{time\\}\\|[^<>|]+>", "")
                .replace("<https://fallow.example/ml/trainer?a=1&b=2|Open in Fallow>", "")
                .replaceAll("^\\*([^*\n]*)\\*(\n`[^`\n]*`)?$", "$1");
        assertThat(ours).doesNotContain("<", ">", "`", "*", "~", "\r", "\u202e", "\u200b");
        assertThat(ours).doesNotContainPattern("@(?i:channel|here|everyone)");
        assertThat(ours).doesNotContainPattern("(^| )_|_( |$)").doesNotContain(":tada:");
        assertThat(ours).doesNotStartWith("&gt;").doesNotContain("\n");
        assertThat(ours).doesNotContainPattern("&(?!(amp|lt|gt);)");
      }
      content.findParents("type").stream()
          .filter(node -> node.path("type").asText().equals("mrkdwn"))
          .forEach(node -> assertThat(node.path("verbatim").booleanValue()).isTrue());
    }
  }

  @Test
  void aTextIsOneLineOfWholeVisibleCharacters() {
    assertThat(PlainText.oneLine(" a\ud800b\udc00c ", 9)).isEqualTo("abc");
    assertThat(PlainText.oneLine("a\r\n\t b\u0000\u00a0c", 9)).isEqualTo("a b c");
    assertThat(PlainText.oneLine("a\u202eb\u200bc\ue000d\ufeff", 9)).isEqualTo("abcd");
    assertThat(PlainText.oneLine("abcdef", 6)).isEqualTo("abcdef");
    assertThat(PlainText.oneLine("abcdefg", 6)).isEqualTo("abcde…");
    assertThat(PlainText.oneLine("😀😀😀😀", 6)).isEqualTo("😀😀…");
  }

  @Test
  void aNameWithUnderscoresKeepsThem() {
    assertThat(SlackText.escaped("keep_until of my_train_job"))
        .isEqualTo("keep_until of my_train_job");
    assertThat(SlackText.escaped("at 10:15:00")).isEqualTo("at 10:15:00");
    assertThat(SlackText.code("a_*b*_~c")).isEqualTo("`a_*b*_~c`");
  }

  @Test
  void textsOfAnyLengthStayWithinSlacksLimitsAndWhole() {
    for (String evil :
        List.of("&".repeat(5000), "x".repeat(5000), "😀".repeat(3000), "<>".repeat(3000))) {
      JsonNode content = sent(Way.SLACK_APP, Hostile.all(evil));
      assertThat(texts(content))
          .allSatisfy(text -> {
            assertThat(text.length()).isLessThanOrEqualTo(3000);
            assertThat(text).doesNotContainPattern("&(?!(amp|lt|gt);)(?!b=2)");
          });
      assertThat(content.path("blocks").size()).isLessThanOrEqualTo(50);
    }
  }

  @Test
  void slackIsToldToTakeTheTextAsItIs() {
    JsonNode content = sent(Way.SLACK_APP, Hostile.good());

    assertThat(content.path("parse").asText()).isEqualTo("none");
    assertThat(content.path("link_names").booleanValue()).isFalse();
    assertThat(content.path("mrkdwn").booleanValue()).isFalse();
    assertThat(content.path("channel").asText()).isEqualTo("U0123ABC");
  }

  @Test
  void aButtonBringsBackItsMessageAndItsWorkload() {
    JsonNode content = sent(Way.SLACK_APP, Hostile.good());
    JsonNode button = content.findValue("elements").path(0);

    assertThat(button.path("action_id").asText()).isEqualTo("fallow_keep_8h");
    assertThat(ButtonValue.parse(button.path("value").asText()))
        .contains(new ButtonValue("m-1", "Deployment/ml/trainer"));
  }

  @Test
  void aWebhookHasNoButtonsThatNobodyWouldHear() {
    JsonNode content = sent(Way.SLACK_WEBHOOK, Hostile.good());

    assertThat(content.toString()).doesNotContain("action_id").contains("Open in Fallow");
  }

  @Test
  void inTeamsTextsAreRunsThatKnowNoMarkup() {
    String evil = "[Keep](https://evil.example) **x** <at>all</at>\n# big";
    JsonNode card = sent(Way.TEAMS, Hostile.all(evil)).findValue("content");

    for (JsonNode block : card.path("body")) {
      assertThat(block.path("type").asText()).isEqualTo("RichTextBlock");
      for (JsonNode run : block.path("inlines")) {
        assertThat(run.path("type").asText()).isEqualTo("TextRun");
        assertThat(run.path("text").asText()).doesNotContain("\n");
      }
    }
    assertThat(card.path("body").toString()).contains("[Keep](https://evil.example)");
    assertThat(card.findValuesAsText("url"))
        .containsExactly("https://fallow.example/ml/trainer?a=1&b=2");
  }

  @Test
  void teamsSayingThatADeliveryFailedIsBelieved() {
    String body =
        "Webhook message delivery failed with error: Microsoft Teams endpoint returned 429";
    try (StubSite site = new StubSite(asked -> Reply.of(200, body))) {
      assertThat(deliver(Way.TEAMS, site, Hostile.good())).isInstanceOf(Delivery.Failed.class);
    }
  }

  @Test
  void aSignedWebhookIsSignedOverTimeAndBody() {
    try (StubSite site = new StubSite(asked -> Reply.of(204, ""))) {
      assertThat(deliver(Way.SIGNED, site, Hostile.good())).isInstanceOf(Delivery.Confirmed.class);
      deliver(Way.SIGNED, site, Hostile.good());

      StubSite.Asked asked = site.asked().getFirst();
      String timestamp = asked.headers().get("x-fallow-timestamp");
      byte[] mac =
          Hmac.of(
              Secret.of("key-CANARY"),
              (timestamp + "." + asked.text()).getBytes(StandardCharsets.UTF_8));
      assertThat(timestamp).isEqualTo("" + Hostile.NOON.getEpochSecond());
      assertThat(asked.headers().get("x-fallow-signature"))
          .isEqualTo("sha256=" + HexFormat.of().formatHex(mac));
      assertThat(site.asked())
          .as("the same at every attempt")
          .allSatisfy(one -> assertThat(one.headers().get("x-fallow-delivery")).isEqualTo("m-1"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void anyTextWhatsoeverCanBeSent(Way way) {
    Random random = new Random(11);
    try (StubSite site = new StubSite(asked -> Reply.of(200, way.taken()))) {
      for (int i = 0; i < 40; i++) {
        StringBuilder text = new StringBuilder();
        for (int c = random.nextInt(400); c > 0; c--) {
          text.append((char) random.nextInt(random.nextBoolean() ? 128 : 65536));
        }
        assertThat(deliver(way, site, Hostile.all(text.toString())))
            .isInstanceOf(Delivery.Confirmed.class);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void anAddressThatTheChannelDoesNotServeIsRefusedWithACure(Way way) {
    if (way == Way.SLACK_APP) {
      return;
    }
    try (StubSite site = new StubSite(asked -> Reply.of(200, way.taken()));
        Outbound outbound = new Outbound(Network.of(Map.of(), Optional.empty()))) {
      Delivery delivery =
          way.channel(outbound, InstantSource.fixed(Hostile.NOON), site.url())
              .deliver(
                  new dev.fallow.core.notice.Address(way.address().channel(), "@U9"),
                  Hostile.good());

      assertThat(delivery)
          .isInstanceOfSatisfying(
              Delivery.Refused.class, no -> assertThat(no.sentence()).contains("@U9", "; "));
      assertThat(site.asked()).isEmpty();
    }
  }

  /** Every text in it, however deep. */
  private static List<String> texts(JsonNode node) {
    List<String> texts = new ArrayList<>();
    node.findParents("type")
        .forEach(one -> {
          if (one.path("text").isTextual()) {
            texts.add(one.path("text").textValue());
          }
        });
    if (node.path("text").isTextual()) {
      texts.add(node.path("text").textValue());
    }
    return texts;
  }

  private static Delivery deliver(Way way, StubSite site, Message message) {
    try (Outbound outbound = new Outbound(Network.of(Map.of(), Optional.empty()))) {
      return way.channel(outbound, InstantSource.fixed(Hostile.NOON), site.url())
          .deliver(way.address(), message);
    }
  }

  private static JsonNode sent(Way way, Message message) {
    try (StubSite site = new StubSite(asked -> Reply.of(200, way.taken()))) {
      assertThat(deliver(way, site, message)).isInstanceOf(Delivery.Confirmed.class);
      return MAPPER.readTree(site.asked().getFirst().body());
    } catch (java.io.IOException noJson) {
      throw new AssertionError(noJson);
    }
  }
}
