package dev.fallow.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.systemtests.faults.FallowProcess;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** One idle workload, a daemon that may pause it, and a Slack that fails, waits and is misused. */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SlackOnTheRigTest {

  private static final String TRAINER = "/apis/apps/v1/namespaces/ml/deployments/trainer";
  private static final String SECRET = "8f742231b10e8888abcd99yyyzzz85a5";
  private static final Duration PERIOD = Duration.ofSeconds(8);
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @TempDir static Path folder;

  private static Rig rig;
  private static Path account;
  private static RigPrometheus prometheus;
  private static StubSlack slack;
  private static FallowProcess daemon;
  private static int daemons;
  private static String spec;

  @BeforeAll
  static void start() throws Exception {
    rig = Rig.builder().start();
    account = ShippedAccount.in(rig);
    LiveFleet fleet = new LiveFleet(rig);
    fleet.pod(fleet.deployment("ml", "trainer", 2), LiveFleet::idle);
    fleet.pod(fleet.deployment("other", "server", 2), LiveFleet::busy);
    rig.kubectl(
        "create",
        "role",
        "owner",
        "-n",
        "ml",
        "--verb=update",
        "--resource=deployments.apps",
        "--resource=pods");
    rig.kubectl(
        "create", "rolebinding", "owner", "-n", "ml", "--role=owner", "--user=alice@example.com");
    prometheus = RigPrometheus.builder().backfill(fleet.samples(folder)).start();
    slack =
        new StubSlack(
            StubSlack.Mood.BREAKS, Map.of("U1", "alice@example.com", "U2", "bob@example.com"));
    Files.writeString(folder.resolve("bot-token"), "xoxb-1");
    spec = trainer("spec").toString();
    startDaemon();
  }

  private static void startDaemon() {
    daemon =
        FallowProcess.daemon(
                folder,
                "daemon-" + daemons++,
                Map.of("SLACK_SIGNING_SECRET", SECRET),
                DaemonWords.of(
                    account,
                    prometheus,
                    folder.resolve("ledger.db"),
                    "-r",
                    "scale-down",
                    "--ack-grace-period",
                    PERIOD.toSeconds() + "s",
                    "--max-idle-share",
                    "100%",
                    "--slack-api-url",
                    slack.url(),
                    "--slack-bot-token-file",
                    folder.resolve("bot-token").toString(),
                    "--slack-team",
                    "T1",
                    "--slack-channel",
                    "#gpus",
                    "--lease-namespace",
                    "fallow-system"))
            .awaitUp();
  }

  @AfterAll
  static void stop() {
    if (daemon != null) {
      daemon.close();
    }
    if (rig != null) {
      rig.close();
    }
    if (prometheus != null) {
      prometheus.close();
    }
    if (slack != null) {
      slack.close();
    }
  }

  private static Json trainer(String... path) {
    return rig.admin().get(TRAINER).orThrow().json().at(path);
  }

  private static String note(String key) {
    return trainer("metadata", "annotations", "fallow.dev/" + key).text();
  }

  private static List<String> noticeIds() {
    return slack.messages().stream()
        .map(message -> message.at("metadata", "event_payload", "id").text())
        .toList();
  }

  private static void awaitMessages(int count) {
    await().atMost(LIMIT).until(() -> slack.messages().size() >= count);
  }

  @Test
  @Order(1)
  void withoutAConfirmedNoticeNothingIsPausedAndARepeatCarriesTheSameIdAlsoAfterARestart() {
    awaitMessages(1);
    daemon.awaitCycles(5);
    assertThat(trainer("spec", "replicas").number()).as("Slack answers 500").isEqualTo(2);

    daemon.close();
    slack.turns(StubSlack.Mood.HANGS);
    rig.admin().delete("/apis/coordination.k8s.io/v1/namespaces/fallow-system/leases/fallow-prune");
    startDaemon();
    int before = slack.messages().size();
    awaitMessages(before + 1);
    daemon.awaitCycles(5);
    assertThat(trainer("spec", "replicas").number()).as("Slack does not answer").isEqualTo(2);
    assertThat(noticeIds()).as("one notice, told again and again").hasSizeGreaterThan(1);
    assertThat(noticeIds().stream().distinct()).hasSize(1);
  }

  @Test
  @Order(2)
  void onlyWhatSlackHasSignedNowAndOnceFromOurWorkspaceByWhoMayIsDone() throws Exception {
    String body = press("T1", "U1", "fallow_keep_8h");
    String now = "" + Instant.now().getEpochSecond();
    String stale = "" + Instant.now().minusSeconds(400).getEpochSecond();
    assertThat(send(body, now, sign(now, body).replace('a', 'b'))).isEqualTo(401);
    assertThat(send(body, stale, sign(stale, body))).isEqualTo(401);
    assertThat(send(body.replace("%3A", "%3a"), now, sign(now, body))).isEqualTo(401);
    String foreign = press("T2", "U1", "fallow_keep_8h");
    assertThat(send(foreign, now, sign(now, foreign))).isEqualTo(400);
    for (String member : List.of("U2", "U3")) {
      String other = press("T1", member, "fallow_keep_8h");
      assertThat(send(other, now, sign(now, other))).as("taken, and judged by RBAC").isEqualTo(200);
    }
    daemon.awaitCycles(2);
    assertThat(note("keep-until")).isEmpty();

    assertThat(send(body, now, sign(now, body))).isEqualTo(200);
    await().atMost(LIMIT).until(() -> !note("keep-until").isEmpty());
    assertThat(note("kept-by")).isEqualTo("alice@example.com");
    assertThat(send(body, now, sign(now, body))).as("again").isEqualTo(401);
  }

  @Test
  @Order(3)
  void whatIsNotKeptAnyMoreIsToldAnewAndItsTimeCountsFromTheLateConfirmation() {
    slack.turns(StubSlack.Mood.LATE);
    daemon.awaitCycles(2);
    assertThat(trainer("spec", "replicas").number()).as("kept").isEqualTo(2);
    assertThat(slack.lateAnswers()).as("nobody is told of what is kept").isEmpty();
    rig.admin()
        .patch(TRAINER, "{\"metadata\":{\"annotations\":{\"fallow.dev/keep-until\":null}}}")
        .orThrow();
    await().atMost(LIMIT).until(() -> trainer("spec", "replicas").number() == 0);
    assertThat(slack.lateAnswers()).isNotEmpty();
    assertThat(Instant.parse(note("paused-at")))
        .as("a period after it was confirmed, and not after it was sent")
        .isAfterOrEqualTo(
            slack.lateAnswers().getFirst().plus(PERIOD).truncatedTo(ChronoUnit.SECONDS));
    assertThat(noticeIds().stream().distinct().count()).isGreaterThanOrEqualTo(2);
    slack.turns(StubSlack.Mood.TAKES);
  }

  @Test
  @Order(4)
  void oneClickWakesItExactlyAsItWas() throws Exception {
    String body = press("T1", "U1", "fallow_resume");
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(2))
        .ignoreExceptions()
        .until(() -> {
          String at = "" + Instant.now().getEpochSecond();
          send(body, at, sign(at, body));
          return trainer("spec", "replicas").number() == 2;
        });
    assertThat(trainer("spec").toString()).isEqualTo(spec);
  }

  private static String press(String team, String member, String action) {
    String payload =
        """
        {"type":"block_actions","team":{"id":"%s"},"user":{"id":"%s","username":"x","team_id":"%s"},
         "container":{"type":"message","message_ts":"17.0001","channel_id":"C1"},
         "channel":{"id":"C1"},
         "actions":[{"type":"button","action_id":"%s","value":"n-1 Deployment/ml/trainer"}]}
        """
            .formatted(team, member, team, action);
    return "payload=" + URLEncoder.encode(payload, StandardCharsets.UTF_8);
  }

  private static String sign(String timestamp, String body) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    byte[] hash = mac.doFinal(("v0:" + timestamp + ":" + body).getBytes(StandardCharsets.UTF_8));
    return "v0=" + HexFormat.of().formatHex(hash);
  }

  private static int send(String body, String timestamp, String signature) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + daemon.port() + "/slack/interactions"))
            .timeout(Duration.ofSeconds(10))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("X-Slack-Request-Timestamp", timestamp)
            .header("X-Slack-Signature", signature)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
  }
}
