package dev.fallow.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.adapters.notify.SlackInteraction.Expected;
import dev.fallow.adapters.notify.SlackInteraction.Parsed;
import dev.fallow.adapters.notify.SlackSignature.Checked;
import dev.fallow.adapters.notify.SlackSignature.Reason;
import dev.fallow.core.notice.Button.Action;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose pressed buttons are believed. */
class SlackRequestsTest {

  private static final Secret SECRET = Secret.of("8f742231b10e8888abcd99yyyzzz85a5");
  private static final Expected OURS = new Expected("T1", Optional.of("A1"), Optional.empty());
  private static final String PAYLOAD =
      """
      {"type":"block_actions","api_app_id":"A1","team":{"id":"T1","domain":"x"},
       "user":{"id":"U1","username":"alice","name":"al","team_id":"T1"},
       "container":{"type":"message","message_ts":"17.0001","channel_id":"C1"},
       "channel":{"id":"C1","name":"ml"},"message":{"ts":"17.0001","text":"x"},
       "response_url":"https://hooks.slack.com/actions/T1/1/abc",
       "actions":[{"type":"button","action_id":"fallow_keep_8h","value":"m-1 Deployment/ml/trainer"}]}
      """;

  private final SettableClock clock = new SettableClock(Hostile.NOON);
  private final SlackSignature signature = new SlackSignature(SECRET, clock);

  @Test
  void slacksOwnExampleIsGenuine() {
    // The values of Slack's documentation.
    String body =
        "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow"
            + "&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner"
            + "&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2F"
            + "commands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN"
            + "&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c";
    SlackSignature then =
        new SlackSignature(SECRET, new SettableClock(java.time.Instant.ofEpochSecond(1531420618)));

    assertThat(
            then.check(
                "1531420618",
                "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503",
                body.getBytes(StandardCharsets.UTF_8)))
        .isInstanceOf(Checked.Genuine.class);
  }

  @Test
  void aRequestIsBelievedOnce() {
    byte[] body = form(PAYLOAD);
    String sign = sign(now(), body);

    assertThat(signature.check(now(), sign, body)).isInstanceOf(Checked.Genuine.class);
    assertThat(signature.check(now(), sign, body)).isEqualTo(new Checked.Refused(Reason.REPLAYED));
    clock.pass(Duration.ofMinutes(5));
    assertThat(signature.check(sent(), sign, body)).isEqualTo(new Checked.Refused(Reason.REPLAYED));
  }

  @Test
  void anotherSpellingOfARequestIsNotTakenForANewOne() {
    byte[] body = form(PAYLOAD);
    String sign = sign(now(), body);
    signature.check(now(), sign, body);

    assertThat(signature.check(now(), sign.toUpperCase(Locale.ROOT), body))
        .isEqualTo(new Checked.Refused(Reason.MALFORMED));
    assertThat(signature.check("0" + now(), sign, body))
        .isEqualTo(new Checked.Refused(Reason.FORGED));
    assertThat(signature.check(" " + now(), sign, body))
        .isEqualTo(new Checked.Refused(Reason.MALFORMED));
    byte[] recoded =
        new String(body, StandardCharsets.UTF_8)
            .replace("+", "%20")
            .getBytes(StandardCharsets.UTF_8);
    byte[] smaller =
        new String(body, StandardCharsets.UTF_8)
            .replace("%3A", "%3a")
            .getBytes(StandardCharsets.UTF_8);
    assertThat(signature.check(now(), sign, recoded)).isEqualTo(new Checked.Refused(Reason.FORGED));
    assertThat(signature.check(now(), sign, smaller)).isEqualTo(new Checked.Refused(Reason.FORGED));
  }

  @ParameterizedTest
  @CsvSource({"-301, STALE", "-300, ''", "0, ''", "300, ''", "301, STALE"})
  void onlyWhatWasSentNowIsBelieved(long offset, String reason) {
    String timestamp = "" + (Hostile.NOON.getEpochSecond() + offset);
    byte[] body = form(PAYLOAD);
    Checked checked = signature.check(timestamp, sign(timestamp, body), body);

    assertThat(checked instanceof Checked.Refused no ? no.reason().name() : "").isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "v0=",
        "v1=00",
        "v0=zz",
        "v0=00",
        "sha256=00",
        "null",
        "v0=\u0661",
        "v0=00,v0=00"
      })
  void whatIsNoSignatureIsMalformed(String sign) {
    assertThat(signature.check(now(), sign, form(PAYLOAD)))
        .isEqualTo(new Checked.Refused(Reason.MALFORMED));
    assertThat(signature.check(sign, sign(now(), form(PAYLOAD)), form(PAYLOAD)))
        .isEqualTo(new Checked.Refused(Reason.MALFORMED));
  }

  @Test
  void anyFlippedBitIsAForgery() {
    byte[] body = form(PAYLOAD);
    String sign = sign(now(), body);
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      byte[] other = body.clone();
      other[random.nextInt(other.length)] ^= (byte) (1 << random.nextInt(8));
      assertThat(signature.check(now(), sign, other)).isEqualTo(new Checked.Refused(Reason.FORGED));
    }
    Secret foreign = Secret.of("another");
    String theirs =
        "v0="
            + HexFormat.of()
                .formatHex(
                    Hmac.of(foreign, ("v0:" + now() + ":").getBytes(StandardCharsets.UTF_8), body));
    assertThat(signature.check(now(), theirs, body)).isEqualTo(new Checked.Refused(Reason.FORGED));
  }

  @Test
  void memoryIsBoundedAndNothingIsBelievedWithoutIt() {
    SlackSignature small = new SlackSignature(SECRET, clock, 3);
    for (int i = 0; i < 3; i++) {
      byte[] body = ("payload=" + i).getBytes(StandardCharsets.UTF_8);
      assertThat(small.check(now(), sign(now(), body), body)).isInstanceOf(Checked.Genuine.class);
    }
    byte[] one = "payload=one".getBytes(StandardCharsets.UTF_8);
    byte[] first = "payload=0".getBytes(StandardCharsets.UTF_8);

    assertThat(small.check(now(), sign(now(), one), one))
        .isEqualTo(new Checked.Refused(Reason.TOO_MANY));
    assertThat(small.check(now(), sign(now(), first), first))
        .isEqualTo(new Checked.Refused(Reason.REPLAYED));
    clock.pass(Duration.ofMinutes(6));
    assertThat(small.check(now(), sign(now(), one), one)).isInstanceOf(Checked.Genuine.class);
  }

  @Test
  void aPressedButtonIsRead() {
    assertThat(SlackInteraction.parse(form(PAYLOAD), OURS))
        .isEqualTo(
            new Parsed.Pressed(
                new SlackInteraction(
                    "T1",
                    "U1",
                    "alice",
                    Action.KEEP_8H,
                    "m-1 Deployment/ml/trainer",
                    Optional.of(URI.create("https://hooks.slack.com/actions/T1/1/abc")),
                    "17.0001",
                    "C1")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"team\":{\"id\":\"T1\" | \"team\":{\"id\":\"T2\" | another workspace",
        "\"team\":{\"id\":\"T1\" | \"team\":{\"id\":1 | another workspace",
        "\"team_id\":\"T1\" | \"team_id\":\"T9\" | another workspace",
        ",\"team_id\":\"T1\" | '' | another workspace",
        "\"team_id\":\"T1\" | \"team_id\":null | another workspace",
        "\"api_app_id\":\"A1\" | \"api_app_id\":\"A2\" | another app",
        "block_actions | view_submission | another type",
        "fallow_keep_8h | fallow_delete | button of ours",
        "\"U1\" | \"U1 <@U2>\" | who pressed",
        "m-1 Deployment/ml/trainer | m-1 | of which message",
        "m-1 Deployment/ml/trainer | m-1 a b | of which message",
        "\"17.0001\" | \"17\" | of which message",
        "https://hooks.slack.com/ | http://hooks.slack.com/ | somewhere else",
        "https://hooks.slack.com/ | https://hooks.slack.com.evil.example/ | somewhere else",
        "https://hooks.slack.com/ | https://evil@hooks.slack.com/ | somewhere else",
        "https://hooks.slack.com/ | https://hooks.slack.com:8443/ | somewhere else",
        "https://hooks.slack.com/ | https://hooks.slack.com\\\\@169.254.169.254/ | somewhere else",
        "https://hooks.slack.com/ | http://169.254.169.254/ | somewhere else",
        "https://hooks.slack.com/ | file:///etc/ | somewhere else",
        "\"type\":\"block_actions\" | \"type\":\"block_actions\",\"type\":\"block_actions\" | JSON"
      })
  void whatIsNotForUsIsAProblem(String part, String instead, String sentence) {
    assertThat(PAYLOAD).contains(part);
    assertThat(SlackInteraction.parse(form(PAYLOAD.replace(part, instead)), OURS))
        .isInstanceOfSatisfying(
            Parsed.Problem.class,
            problem -> assertThat(problem.sentence()).contains(sentence).doesNotContain("169.254"));
  }

  @Test
  void aForeignWorkspaceIsNotOursThoughAllInItAgrees() {
    assertThat(SlackInteraction.parse(form(PAYLOAD.replace("T1", "T2")), OURS))
        .isEqualTo(new Parsed.Problem("the request is of another workspace"));
  }

  @Test
  void twoButtonsAtOnceAreAProblem() {
    String action = PAYLOAD.substring(PAYLOAD.indexOf("[{") + 1, PAYLOAD.indexOf("}]") + 1);

    assertThat(SlackInteraction.parse(form(PAYLOAD.replace(action, action + "," + action)), OURS))
        .isInstanceOf(Parsed.Problem.class);
  }

  @Test
  void aFormWithMoreOrOtherFieldsIsAProblem() {
    String good = new String(form(PAYLOAD), StandardCharsets.UTF_8);
    for (String bad :
        new String[] {
          "",
          "payload",
          "x=1",
          good + "&payload=%7B%7D",
          good + "&x=1",
          "x=1&" + good,
          " " + good,
          good.replace("payload", "Payload"),
          good.replace("payload", "%70ayload"),
          good + "%",
          good + "%4",
          good + "%zz",
          good + "\u0000",
          "payload=%ff%fe",
          "payload=[]",
          "payload=null",
          "payload=" + PAYLOAD,
          good + "%7B%7D",
          "payload=" + "%5B".repeat(50_000)
        }) {
      assertThat(SlackInteraction.parse(bad.getBytes(StandardCharsets.ISO_8859_1), OURS))
          .isInstanceOf(Parsed.Problem.class);
    }
    assertThat(SlackInteraction.parse(new byte[10_000_000], OURS))
        .isInstanceOf(Parsed.Problem.class);
  }

  @Test
  void noRequestWhatsoeverThrows() {
    Random random = new Random(5);
    byte[] good = form(PAYLOAD);
    for (int i = 0; i < 2000; i++) {
      byte[] bad = good.clone();
      for (int flips = 1 + random.nextInt(20); flips > 0; flips--) {
        bad[random.nextInt(bad.length)] = (byte) random.nextInt(256);
      }
      assertThat(SlackInteraction.parse(bad, OURS)).isNotNull();
    }
  }

  @Test
  void anAnswerMayGoToATestSiteOnlyIfThatIsSet() {
    String body = PAYLOAD.replace("https://hooks.slack.com/", "http://127.0.0.1:8080/");
    Expected test =
        new Expected("T1", Optional.empty(), Optional.of(URI.create("http://127.0.0.1:8080/")));

    assertThat(SlackInteraction.parse(form(body), test)).isInstanceOf(Parsed.Pressed.class);
    assertThat(SlackInteraction.parse(form(body), OURS)).isInstanceOf(Parsed.Problem.class);
  }

  @Test
  void theAddressToAnswerAtIsNotShown() {
    assertThat(SlackInteraction.parse(form(PAYLOAD), OURS).toString())
        .doesNotContain("hooks.slack.com");
  }

  private String now() {
    return "" + clock.instant().getEpochSecond();
  }

  private static String sent() {
    return "" + Hostile.NOON.getEpochSecond();
  }

  private static String sign(String timestamp, byte[] body) {
    byte[] mac = Hmac.of(SECRET, ("v0:" + timestamp + ":").getBytes(StandardCharsets.UTF_8), body);
    return "v0=" + HexFormat.of().formatHex(mac);
  }

  private static byte[] form(String payload) {
    return ("payload=" + URLEncoder.encode(payload, StandardCharsets.UTF_8))
        .getBytes(StandardCharsets.UTF_8);
  }
}
