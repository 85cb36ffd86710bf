package dev.fallow.server.certificate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServingSecretTest {

  private static final Instant NOW = Instant.parse("2026-11-16T10:00:00Z");
  private static final List<String> HOSTS = List.of("fallow-metrics.fallow-system.svc");
  private final ServingSecret first = ServingSecret.create(HOSTS, NOW);

  private static Instant after(int days) {
    return NOW.plus(Duration.ofDays(days));
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    assertThat(ServingSecret.read(first.data())).contains(first);
    assertThat(ServingSecret.read(Map.of("tls.crt", "junk"))).isEmpty();
  }

  @Test
  void aCertificateIsRenewedLongBeforeItEndsByTheSameAuthority() {
    assertThat(first.successor(HOSTS, after(200))).isEmpty();
    ServingSecret second = first.successor(HOSTS, after(260)).orElseThrow();
    assertThat(second.bundle()).isEqualTo(first.bundle());
    assertThat(second.serving()).isNotEqualTo(first.serving());
    assertThat(second.serving().certificate().getNotAfter().toInstant()).isAfter(after(600));
  }

  @Test
  void anotherNameIsAnotherCertificate() {
    assertThat(first.successor(List.of("other.fallow-system.svc"), NOW))
        .hasValueSatisfying(next -> assertThat(next.bundle()).isEqualTo(first.bundle()));
  }

  @Test
  void aReplacedAuthorityIsTrustedUntilItEnds() {
    ServingSecret next = first.successor(HOSTS, after(2600)).orElseThrow();
    assertThat(next.authorities()).hasSize(2).contains(first.authorities().getFirst());
    assertThat(next.authorities().getFirst()).isNotEqualTo(first.authorities().getFirst());
    ServingSecret later = next.successor(HOSTS, after(3651)).orElseThrow();
    assertThat(later.authorities()).containsExactly(next.authorities().getFirst());
  }

  @Test
  void whatSomebodyElseSeesToIsNeverReplaced() {
    Map<String, String> data = new HashMap<>(first.data());
    data.remove("ca.key");
    Optional<ServingSecret> theirs = ServingSecret.read(data);
    assertThat(theirs).isPresent();
    assertThat(theirs.get().successor(HOSTS, after(9999))).isEmpty();
  }
}
