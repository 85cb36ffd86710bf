package dev.fallow.adapters.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.notify.SmtpServer.Credentials;
import dev.fallow.adapters.notify.SmtpServer.Tls;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Delivery.Confirmed;
import dev.fallow.core.notice.Delivery.Failed;
import dev.fallow.core.notice.Delivery.Refused;
import dev.fallow.core.notice.Message;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class SmtpMailTest {

  private static final Address ALICE = new Address("mail", "alice@example.com");
  private static final Optional<Credentials> SIGNED_IN =
      Optional.of(new Credentials("fallow", Secret.of("pass-CANARY")));
  private static final List<String> STEPS =
      List.of("CONNECT", "EHLO", "STARTTLS", "AUTH", "MAIL", "RCPT", "DATA", "TEXT");

  @TempDir static Path folder;
  private static TestCertificates certificates;

  @BeforeAll
  static void makeAKey() throws Exception {
    certificates = TestCertificates.in(folder);
  }

  @ParameterizedTest
  @EnumSource(names = {"STARTTLS", "IMPLICIT"})
  void mailThatTheServerTookIsConfirmedByItsId(Tls tls) {
    try (StubMail stub = stub(tls, StubMail::willing)) {
      assertThat(sent(stub, tls, SIGNED_IN, Hostile.good()))
          .isEqualTo(new Confirmed(Hostile.NOON, "<m-1@fallow.example>"));
      assertThat(stub.said())
          .contains("(tls)MAIL FROM:<gpu@fallow.example>", "(tls)RCPT TO:<alice@example.com>")
          .anyMatch(line -> line.startsWith("(tls)AUTH PLAIN "))
          .noneMatch(line -> line.startsWith("AUTH"));
      assertThat(stub.mails()).hasSize(1);
    }
  }

  @Test
  void aPasswordGoesToThisMachineWithoutTlsAndNowhereElse() {
    try (StubMail stub = stub(Tls.NONE, StubMail::willing)) {
      assertThat(sent(stub, Tls.NONE, SIGNED_IN, Hostile.good())).isInstanceOf(Confirmed.class);
    }
    assertThatThrownBy(
            () -> new SmtpServer("mail.example", 25, Tls.NONE, SIGNED_IN, "a@fallow.example"))
        .hasMessageContaining("TLS")
        .hasMessageNotContaining("CANARY");
  }

  @Test
  void aServerWithLoginOnlyIsSignedInToAsWell() {
    try (StubMail stub =
        stub(
            Tls.IMPLICIT,
            word ->
                switch (word) {
                  case "EHLO" -> "250-x\r\n250 AUTH LOGIN";
                  case "AUTH" -> "334 VXNlcm5hbWU6";
                  case "ZMFSBG93", "ZMFSBG93=", "ZMFSBG93==" -> "334 UGFzc3dvcmQ6";
                  default ->
                      word.equals(base64("pass-CANARY").toUpperCase(Locale.ROOT))
                          ? "235 welcome"
                          : StubMail.willing(word);
                })) {
      assertThat(sent(stub, Tls.IMPLICIT, SIGNED_IN, Hostile.good())).isInstanceOf(Confirmed.class);
      assertThat(stub.said())
          .contains("(tls)AUTH LOGIN", "(tls)" + base64("fallow"), "(tls)" + base64("pass-CANARY"));
    }
  }

  @Test
  void aServerFromWhichStarttlsWasStrippedGetsNothing() {
    try (StubMail stub =
        stub(
            Tls.STARTTLS,
            word -> word.equals("EHLO") ? "250 AUTH PLAIN" : StubMail.willing(word))) {
      assertThat(sent(stub, Tls.STARTTLS, SIGNED_IN, Hostile.good()))
          .isInstanceOfSatisfying(
              Refused.class, no -> assertThat(no.sentence()).contains("STARTTLS"));
      assertThat(stub.said()).containsExactly("EHLO fallow.example");
    }
  }

  @Test
  void whatIsSlippedInBeforeTheEncryptionEndsTheConversation() {
    try (StubMail stub =
        stub(
            Tls.STARTTLS,
            word -> word.equals("STARTTLS") ? "220 ready\r\n250 forged" : StubMail.willing(word))) {
      assertThat(sent(stub, Tls.STARTTLS, SIGNED_IN, Hostile.good())).isInstanceOf(Failed.class);
      assertThat(stub.mails()).isEmpty();
    }
  }

  @Test
  void aCertificateThatIsNotTrustedGetsNoPassword() {
    try (StubMail stub = stub(Tls.STARTTLS, StubMail::willing)) {
      Network unaware = Network.of(Map.of(), Optional.empty());
      assertThat(sent("localhost", stub, Tls.STARTTLS, SIGNED_IN, Hostile.good(), unaware))
          .isInstanceOfSatisfying(
              Failed.class, failed -> assertThat(failed.sentence()).contains("not trusted"));
      Network aware = Network.of(Map.of(), Optional.of(certificates.certificate()));
      assertThat(sent("127.0.0.1", stub, Tls.STARTTLS, SIGNED_IN, Hostile.good(), aware))
          .as("the certificate is for another name")
          .isInstanceOf(Failed.class);
      assertThat(stub.said()).noneMatch(line -> line.contains("AUTH") || line.contains("MAIL"));
    }
  }

  @Test
  void aNoAtAnyStepIsForeverAndALaterIsForLater() {
    for (String step : STEPS) {
      assertThat(answered(step, "550 CANARY " + base64("\0fallow\0pass-CANARY")))
          .as(step)
          .isInstanceOf(Refused.class);
      assertThat(answered(step, "451 CANARY")).as(step).isInstanceOf(Failed.class);
      assertThat(answered(step, "421-CANARY\r\n421 bye")).as(step).isInstanceOf(Failed.class);
    }
  }

  @Test
  void whatIsUnclearAtAnyStepFails() {
    for (String step : STEPS) {
      for (String unclear :
          new String[] {
            "", "hello", "25", "2500 x", "600 x", "150 x", "250-a\r\n550 b", "999", "x".repeat(5000)
          }) {
        assertThat(answered(step, unclear)).as(step + " " + unclear).isInstanceOf(Failed.class);
      }
    }
    assertThat(answered("TEXT", "251 forwarded")).isInstanceOf(Failed.class);
    assertThat(answered("TEXT", "354 go on")).isInstanceOf(Failed.class);
    assertThat(answered("DATA", "250 fine")).isInstanceOf(Failed.class);
  }

  @Test
  void aServerThatHangsAtAnyStepIsGivenUp() {
    for (String step : List.of("CONNECT", "EHLO", "TEXT")) {
      CountDownLatch over = new CountDownLatch(1);
      try (StubMail stub =
          stub(
              Tls.NONE,
              word -> {
                if (word.equals(step)) {
                  await(over);
                }
                return StubMail.willing(word);
              })) {
        assertThat(sent("127.0.0.1", stub, Tls.NONE, Optional.empty(), Hostile.good(), hasty()))
            .isInstanceOfSatisfying(
                Failed.class, failed -> assertThat(failed.sentence()).contains("within 400 ms"));
        over.countDown();
      }
    }
  }

  @Test
  void aServerThatDripsIsGivenUp() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      Thread.ofVirtual().start(() -> drip(server));
      SmtpMail mail =
          new SmtpMail(
              hasty(),
              InstantSource.fixed(Hostile.NOON),
              new SmtpServer(
                  "127.0.0.1", server.getLocalPort(), Tls.NONE, Optional.empty(), "a@b.example"));
      assertThat(mail.deliver(ALICE, Hostile.good())).isInstanceOf(Failed.class);
    }
  }

  private static void drip(ServerSocket server) {
    try (Socket client = server.accept()) {
      while (true) {
        client.getOutputStream().write("220-still there\r\n".getBytes(StandardCharsets.UTF_8));
        Thread.onSpinWait();
      }
    } catch (IOException nobodyListens) {
      // That is the point.
    }
  }

  @Test
  void nothingButA250AfterTheTextIsEverConfirmed() {
    Random random = new Random(20261116);
    int confirmed = 0;
    for (int i = 0; i < 200; i++) {
      String step = random.nextInt(3) == 0 ? "TEXT" : STEPS.get(random.nextInt(STEPS.size()));
      int code = random.nextInt(3) == 0 ? 250 : 200 + random.nextInt(400);
      Delivery delivery = answered(Tls.NONE, Optional.empty(), step, code + " x");
      boolean good =
          switch (step) {
            case "TEXT" -> code == 250;
            case "DATA" -> code / 100 == 3 && code == 354;
            case "AUTH", "STARTTLS" -> true;
            default -> code / 100 == 2;
          };
      if (delivery instanceof Confirmed) {
        assertThat(good).as(step + " " + code).isTrue();
        confirmed++;
      } else if (code / 100 == 5 && !step.equals("AUTH") && !step.equals("STARTTLS")) {
        assertThat(delivery).as(step + " " + code).isInstanceOf(Refused.class);
      }
    }
    assertThat(confirmed).isPositive();
  }

  @Test
  void theTextArrivesAsItWasDotsAndAll() {
    String evil = ".\r\nMAIL FROM:<x@y.z>";
    try (StubMail stub = stub(Tls.NONE, StubMail::willing)) {
      Message message =
          Hostile.all(".starts with a dot " + evil + " äöü =41 " + "long ".repeat(60));
      assertThat(sent(stub, Tls.NONE, Optional.empty(), message)).isInstanceOf(Confirmed.class);

      String wire = stub.mails().getFirst();
      assertThat(wire.lines()).allSatisfy(line -> assertThat(line.length()).isLessThan(100));
      assertThat(wire).matches("\\p{ASCII}*").contains("\r\n..starts with a dot");
      assertThat(plain(wire)).contains(".starts with a dot . MAIL FROM:<x@y.z> äöü =41 long");
      assertThat(stub.said()).noneMatch(line -> line.contains("x@y.z"));
    }
  }

  @Test
  void aHeadlineCannotBeginAHeaderOfItsOwn() {
    String evil = "idle\r\nBcc: eve@evil.example\r\n\r\n<html>";
    try (StubMail stub = stub(Tls.NONE, StubMail::willing)) {
      sent(stub, Tls.NONE, Optional.empty(), Hostile.all(evil));

      String wire = stub.mails().getFirst();
      String head = wire.substring(0, wire.indexOf("\r\n\r\n"));
      assertThat(head).doesNotContainIgnoringCase("bcc").contains("Auto-Submitted: auto-generated");
      assertThat(subject(head)).isEqualTo("idle Bcc: eve@evil.example <html>");
    }
  }

  @Test
  void aLongSubjectIsCutBetweenCharacters() {
    try (StubMail stub = stub(Tls.NONE, StubMail::willing)) {
      for (int shift = 0; shift < 5; shift++) {
        String text = "x".repeat(shift) + "ä😀".repeat(40);
        sent(stub, Tls.NONE, Optional.empty(), Hostile.all(text));

        String wire = stub.mails().getLast();
        assertThat(subject(wire.substring(0, wire.indexOf("\r\n\r\n")))).isEqualTo(text);
      }
    }
  }

  @Test
  void inHtmlNamesAreText() {
    String evil = "<script>alert('x')</script><img src=x onerror=\"y\"> &lt;";
    try (StubMail stub = stub(Tls.NONE, StubMail::willing)) {
      sent(stub, Tls.NONE, Optional.empty(), Hostile.all(evil));

      String html = html(stub.mails().getFirst());
      assertThat(html)
          .doesNotContain("<script", "<img")
          .contains("&lt;script&gt;alert(&#39;x&#39;)", "&quot;y&quot;", "&amp;lt;")
          .contains("<a href=\"https://fallow.example/ml/trainer?a=1&amp;b=2\">");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a@b.com\r\nRCPT TO:<c@d.com>",
        "a@b.com>",
        "<a@b.com",
        "a b@c.com",
        "a",
        "",
        "a@b.com,c@d.com"
      })
  void anAddressThatCouldBeACommandIsRefused(String target) {
    try (StubMail stub = stub(Tls.NONE, StubMail::willing)) {
      assertThat(
              mail("127.0.0.1", stub, Tls.NONE, Optional.empty(), hasty())
                  .deliver(new Address("mail", target), Hostile.good()))
          .isInstanceOf(Refused.class);
      assertThat(stub.said()).isEmpty();
      assertThatThrownBy(() -> new SmtpServer("localhost", 25, Tls.NONE, Optional.empty(), target))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void everyAttemptHasTheSameId() {
    try (StubMail stub = stub(Tls.NONE, StubMail::willing)) {
      sent(stub, Tls.NONE, Optional.empty(), Hostile.good());
      sent(stub, Tls.NONE, Optional.empty(), Hostile.good());

      assertThat(stub.mails())
          .hasSize(2)
          .allSatisfy(
              mail -> assertThat(mail).contains("\r\nMessage-ID: <m-1@fallow.example>\r\n"));
    }
  }

  @Test
  void aClosedPortAndAnUnknownHostFail() {
    StubMail closed = stub(Tls.NONE, StubMail::willing);
    closed.close();

    assertThat(sent(closed, Tls.NONE, Optional.empty(), Hostile.good())).isInstanceOf(Failed.class);
    assertThat(
            sent(
                "no-such-host.invalid",
                closed,
                Tls.NONE,
                Optional.empty(),
                Hostile.good(),
                plain()))
        .isInstanceOfSatisfying(
            Failed.class, failed -> assertThat(failed.sentence()).contains("unknown"));
  }

  private static Delivery answered(String step, String reply) {
    return answered(Tls.STARTTLS, SIGNED_IN, step, reply);
  }

  private static Delivery answered(
      Tls tls, Optional<Credentials> credentials, String step, String reply) {
    try (StubMail stub = stub(tls, word -> word.equals(step) ? reply : StubMail.willing(word))) {
      return sent(stub, tls, credentials, Hostile.good());
    }
  }

  private static StubMail stub(Tls tls, UnaryOperator<String> answers) {
    return new StubMail(certificates.context(), tls == Tls.IMPLICIT, answers);
  }

  private static Delivery sent(
      StubMail stub, Tls tls, Optional<Credentials> credentials, Message message) {
    return sent("localhost", stub, tls, credentials, message, plain());
  }

  private static Delivery sent(
      String host,
      StubMail stub,
      Tls tls,
      Optional<Credentials> credentials,
      Message message,
      Network network) {
    SmtpMail mail = mail(host, stub, tls, credentials, network);
    Delivery delivery = mail.deliver(ALICE, message);
    assertThat(delivery + mail.toString())
        .doesNotContain("CANARY", base64("pass-CANARY"), base64("\0fallow\0pass-CANARY"));
    return delivery;
  }

  private static SmtpMail mail(
      String host, StubMail stub, Tls tls, Optional<Credentials> credentials, Network network) {
    SmtpServer server = new SmtpServer(host, stub.port(), tls, credentials, "gpu@fallow.example");
    assertThat(server.toString()).doesNotContain("CANARY");
    return new SmtpMail(network, InstantSource.fixed(Hostile.NOON), server);
  }

  private static Network plain() {
    return Network.of(Map.of(), Optional.of(certificates.certificate()));
  }

  private static Network hasty() {
    return new Network(Map.of(), Optional.empty(), Duration.ofSeconds(5), Duration.ofMillis(400));
  }

  private static String subject(String head) {
    String unfolded = head.replace("\r\n ", "");
    Matcher word =
        Pattern.compile("=\\?UTF-8\\?B\\?([^?]*)\\?=")
            .matcher(
                unfolded.lines().filter(l -> l.startsWith("Subject: ")).findFirst().orElse(""));
    StringBuilder subject = new StringBuilder();
    while (word.find()) {
      subject.append(new String(Base64.getDecoder().decode(word.group(1)), StandardCharsets.UTF_8));
    }
    return subject.toString();
  }

  private static String plain(String wire) {
    return part(wire, 1);
  }

  private static String html(String wire) {
    return part(wire, 2);
  }

  /** What a mail program would show of a part. */
  private static String part(String wire, int index) {
    String part = wire.replace("\r\n..", "\r\n.").split("--fallow-m-1")[index];
    String encoded = part.substring(part.indexOf("\r\n\r\n") + 4).replace("=\r\n", "");
    byte[] bytes = new byte[encoded.length()];
    int length = 0;
    for (int i = 0; i < encoded.length(); i++) {
      if (encoded.charAt(i) == '=') {
        bytes[length++] = (byte) Integer.parseInt(encoded, i + 1, i + 3, 16);
        i += 2;
      } else {
        bytes[length++] = (byte) encoded.charAt(i);
      }
    }
    return new String(bytes, 0, length, StandardCharsets.UTF_8);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
