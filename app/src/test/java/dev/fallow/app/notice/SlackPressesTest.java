package dev.fallow.app.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.notify.Secret;
import dev.fallow.adapters.notify.SlackInteraction;
import dev.fallow.adapters.notify.SlackSignature;
import dev.fallow.adapters.notify.SlackUsers;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Router;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Rights;
import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.FleetSource;
import dev.fallow.server.fleet.Hands;
import dev.fallow.server.fleet.WorkloadItem;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** A press in Slack changes something only if Slack sent it and the cluster lets that person. */
class SlackPressesTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final String KEY = "8f742231b10e8888abcd99yyyzzz85a5";

  private final List<String> done = new ArrayList<>();
  private final List<String> answers = new ArrayList<>();
  private final List<Caller> askedAbout = new ArrayList<>();
  private final Set<String> taken = new HashSet<>();
  private Optional<Keep> standing = Optional.empty();
  private String prefix = "";
  private Duration waited = Duration.ZERO;
  private Instant firstLook = NOON;

  private final WorkloadItem trainer =
      new WorkloadItem(
          "Deployment/ml/trainer",
          "ml",
          "Deployment",
          "trainer",
          "IDLE",
          "IDLE",
          "",
          1,
          1,
          1,
          OptionalDouble.empty(),
          Optional.empty(),
          Map.of("sentence", "it was still"));

  private final FleetSource fleet =
      new FleetSource() {
        @Override
        public FleetPicture picture() {
          return NOON.plus(waited).isBefore(firstLook)
              ? FleetPicture.NONE
              : new FleetPicture(1, NOON, List.of(trainer), Map.of(), List.of());
        }

        @Override
        public Optional<Map<String, Object>> why(WorkloadItem item) {
          return Optional.empty();
        }
      };

  private final Hands hands =
      new Hands() {
        @Override
        public Keep keep(WorkloadItem item, KeepTerm term, String reason, Caller caller) {
          done.add("keep " + item.name() + " " + term.length().get() + " " + caller.name());
          return term.over(standing, new Keep(term.end(NOON), caller.name(), reason));
        }

        @Override
        public void endKeep(WorkloadItem item, Caller caller) {}

        @Override
        public void pause(WorkloadItem item, String reason, Caller caller) {}

        @Override
        public void resume(WorkloadItem item, Caller caller) {
          done.add("resume " + item.name() + " " + caller.name());
        }
      };

  private final Rights rights =
      new Rights() {
        @Override
        public boolean sees(Caller caller, String namespace) {
          return caller.name().startsWith("alice");
        }

        @Override
        public boolean changes(Caller caller, String namespace, String kind, String name) {
          askedAbout.add(caller);
          return caller.name().startsWith("alice");
        }
      };

  private Router router = instance();

  /** Another one knows of the first only what both have written down. */
  private Router instance() {
    return new Router(
        SlackRoutes.of(
            new SlackSignature(Secret.of(KEY), () -> NOON),
            new SlackInteraction.Expected("T01", Optional.empty(), Optional.empty()),
            new SlackPresses(
                user ->
                    switch (user) {
                      case "U1" -> new SlackUsers.Found.Email("alice@example.com");
                      case "U2" -> new SlackUsers.Found.Email("bob@example.com");
                      default -> new SlackUsers.Found.None("that member has no address");
                    },
                prefix,
                fleet,
                hands,
                rights,
                () -> NOON,
                (url, sentence) -> answers.add(sentence),
                time -> waited = waited.plus(time)),
            new Here(),
            taken::add));
  }

  /** Does everything at once. */
  private static final class Here extends AbstractExecutorService {
    @Override
    public void execute(Runnable task) {
      task.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }

  private static byte[] press(String team, String user, String action) {
    String payload =
        """
        {"type":"block_actions","team":{"id":"%1$s"},"user":{"id":"%2$s","username":"x","team_id":"%1$s"},\
        "channel":{"id":"C0123ABC"},"message":{"ts":"1762084800.000100"},\
        "response_url":"https://hooks.slack.com/actions/T01/1/abc",\
        "actions":[{"type":"button","action_id":"%3$s","value":"n-1 Deployment/ml/trainer"}]}\
        """
            .formatted(team, user, action);
    return ("payload=" + URLEncoder.encode(payload, StandardCharsets.UTF_8))
        .getBytes(StandardCharsets.UTF_8);
  }

  private Reply send(byte[] body, Instant at, String key) throws Exception {
    String stamp = Long.toString(at.getEpochSecond());
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    mac.update(("v0:" + stamp + ":").getBytes(StandardCharsets.UTF_8));
    String signature = "v0=" + HexFormat.of().formatHex(mac.doFinal(body));
    return router.answer(
        Request.of(
            "POST",
            URI.create("/slack/interactions"),
            Map.of("X-Slack-Request-Timestamp", stamp, "X-Slack-Signature", signature),
            body));
  }

  @Test
  void aPressOfTheOwnerKeepsAndResumes() throws Exception {
    assertThat(send(press("T01", "U1", "fallow_keep_8h"), NOON, KEY).status()).isEqualTo(200);
    send(press("T01", "U1", "fallow_resume"), NOON, KEY);
    assertThat(done)
        .containsExactly("keep trainer PT8H alice@example.com", "resume trainer alice@example.com");
    assertThat(answers.getFirst()).contains("kept for 8 hours");
  }

  @Test
  void aPressRightAfterAStartWaitsForTheFirstLook() throws Exception {
    firstLook = NOON.plusSeconds(40);
    send(press("T01", "U1", "fallow_keep_8h"), NOON, KEY);
    assertThat(done).hasSize(1);
    assertThat(waited).isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void aPressThatWaitedInVainIsToldSoAndCanBeMadeAgain() throws Exception {
    firstLook = NOON.plusSeconds(90);
    send(press("T01", "U1", "fallow_keep_8h"), NOON, KEY);
    assertThat(done).isEmpty();
    assertThat(answers.getFirst()).contains("has just started", "press again");
    assertThat(waited).isEqualTo(Duration.ofSeconds(60));

    send(press("T01", "U1", "fallow_keep_8h"), NOON.plusSeconds(61), KEY);
    assertThat(done).hasSize(1);
  }

  @Test
  void whoeverMayNotUpdateItCannotKeepIt() throws Exception {
    send(press("T01", "U2", "fallow_keep_8h"), NOON, KEY);
    send(press("T01", "U3", "fallow_keep_8h"), NOON, KEY);
    assertThat(done).isEmpty();
    assertThat(answers)
        .hasSize(2)
        .allSatisfy(answer -> assertThat(answer).startsWith("Nothing was done"));
  }

  @Test
  void aPressThatAnotherInstanceHasTakenIsNotTakenAgain() throws Exception {
    byte[] good = press("T01", "U1", "fallow_keep_8h");
    send(good, NOON, KEY);
    router = instance();
    send(good, NOON, KEY);
    assertThat(done).hasSize(1);
  }

  @Test
  void whoPressesIsTheUserThatTheClusterKnows() throws Exception {
    prefix = "oidc:";
    router = instance();
    send(press("T01", "U1", "fallow_keep_8h"), NOON, KEY);
    assertThat(askedAbout)
        .singleElement()
        .satisfies(caller -> {
          assertThat(caller.name()).isEqualTo("oidc:alice@example.com");
          assertThat(caller.groups()).containsExactly("system:authenticated");
        });
    assertThat(answers.getFirst()).contains("oidc:alice@example.com", "--slack-user-prefix");
  }

  @Test
  void aPressDoesNotShortenAKeepAndSaysWhatStands() throws Exception {
    standing = Optional.of(new Keep(NOON.plus(Duration.ofDays(2)), "bob", ""));
    send(press("T01", "U1", "fallow_keep_4h"), NOON, KEY);
    assertThat(answers.getFirst()).contains("2026-11-04T12:00:00Z already");
  }

  @Test
  void aForgedStaleReplayedOrForeignPressIsRefused() throws Exception {
    byte[] good = press("T01", "U1", "fallow_keep_8h");
    assertThatThrownBy(() -> send(good, NOON, "another key, of somebody else"))
        .isInstanceOf(Rejected.class);
    assertThatThrownBy(() -> send(good, NOON.minusSeconds(301), KEY)).isInstanceOf(Rejected.class);
    assertThatThrownBy(() -> send(press("T99", "U1", "fallow_keep_8h"), NOON, KEY))
        .isInstanceOf(Rejected.class);
    assertThat(done).isEmpty();
    send(good, NOON, KEY);
    assertThatThrownBy(() -> send(good, NOON, KEY)).isInstanceOf(Rejected.class);
    assertThat(done).hasSize(1);
  }
}
