package dev.fallow.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SealedCookieTest {

  private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
  private static final Instant ONE = NOON.plus(Duration.ofHours(1));

  private final byte[] key = SealedCookie.randomKey();
  private final SealedCookie cookie = new SealedCookie("c", key, true, "Strict");

  private static List<String> kept(SealedCookie cookie, String text) {
    return cookie.set(Reply.text(200, ""), text, ONE, NOON).orElseThrow().cookies().stream()
        .map(line -> line.split(";", 2)[0])
        .filter(pair -> !pair.endsWith("="))
        .toList();
  }

  private static Request with(List<String> pairs) {
    return Request.of(
        "GET", URI.create("/"), Map.of("Cookie", String.join("; ", pairs)), new byte[0]);
  }

  @Test
  void itComesBackAsItWas() {
    String text =
        new Random(1)
            .ints(7_000, 33, 126)
            .mapToObj(Character::toString)
            .collect(Collectors.joining());
    assertThat(cookie.read(with(kept(cookie, text)), NOON)).contains(text);
    assertThat(cookie.read(with(kept(cookie, text)), ONE)).isEmpty();
  }

  @Test
  void nobodyCanMakeOrChangeOne() {
    String pair = kept(cookie, "alice").getFirst();
    for (int i = pair.indexOf('=') + 1; i < pair.length() - 1; i++) {
      char other = pair.charAt(i) == 'A' ? 'B' : 'A';
      String changed = pair.substring(0, i) + other + pair.substring(i + 1);
      assertThat(cookie.read(with(List.of(changed)), NOON)).isEmpty();
    }
    for (String junk : List.of("__Host-c=", "__Host-c=A", "__Host-c=%%%", "__Host-c=QUJD")) {
      assertThat(cookie.read(with(List.of(junk)), NOON)).isEmpty();
    }
    assertThat(
            new SealedCookie("c", SealedCookie.randomKey(), true, "Lax")
                .read(with(List.of(pair)), NOON))
        .isEmpty();
  }

  @Test
  void oneCannotBePassedOffAsAnother() {
    SealedCookie other = new SealedCookie("d", key, true, "Strict");
    String pair = kept(cookie, "alice").getFirst().replace("__Host-c=", "__Host-d=");
    assertThat(other.read(with(List.of(pair)), NOON)).isEmpty();
  }

  @Test
  void overHttpsItIsBoundToThisHostAndToTls() {
    String line =
        cookie.set(Reply.text(200, ""), "x", ONE, NOON).orElseThrow().cookies().getFirst();
    assertThat(line)
        .startsWith("__Host-c=")
        .endsWith("; Path=/; HttpOnly; SameSite=Strict; Max-Age=3600; Secure")
        .doesNotContain("Domain");
    assertThat(cookie.set(Reply.text(200, ""), "x".repeat(12_000), ONE, NOON))
        .isEqualTo(Optional.empty());
  }
}
