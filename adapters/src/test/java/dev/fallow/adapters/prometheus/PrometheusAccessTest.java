package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.Unavailable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where Prometheus is, and the secret that opens it. */
class PrometheusAccessTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "https://prometheus.example, true",
    "HTTPS://prometheus.example, true",
    "http://prometheus.example, false",
    "http://prometheus.monitoring.svc:9090, true",
    "http://prometheus.monitoring.svc.cluster.local:9090, true",
    "http://prometheus.monitoring.svc.cluster.local.:9090, true",
    "http://prometheus.monitoring:9090, false",
    "http://evil.svc.example, false",
    "http://evilsvc, false",
    "http://localhost:9090, true",
    "http://LOCALHOST:9090, true",
    "http://localhost.evil.example, false",
    "http://127.0.0.1:9090, true",
    "http://127.0.0.1.evil.example, false",
    "http://[::1]:9090, true",
    "http://10.0.0.1:9090, false"
  })
  void aSecretGoesOnlyWhereNobodyCanReadIt(String url, boolean safe) {
    assertThat(PrometheusAccess.of(url).keepsSecrets()).isEqualTo(safe);
    assertThat(PrometheusAccess.of(url).sendingTokenAnywhere(true).keepsSecrets()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "prometheus:9090",
        "ftp://host",
        "http://",
        "http:///path",
        "http://host?query=up",
        "http://host#here",
        "http://ho st",
        "file:///etc/passwd"
      })
  void whatIsNoAddressIsRefusedWithASentence(String url) {
    assertThatThrownBy(() -> PrometheusAccess.of(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Prometheus URL");
  }

  @Test
  void aUserAndATokenTogetherAreRefusedWithoutShowingEither() {
    PrometheusAccess access = PrometheusAccess.of("https://me:hidden@host");

    assertThatThrownBy(() -> access.withToken(BearerToken.fixed("s3cret")))
        .hasMessageContaining("not both")
        .hasMessageNotContaining("hidden")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void theTokenNeverShowsItself() {
    assertThat(PrometheusAccess.of("https://host").withToken(BearerToken.fixed("s3cret")))
        .hasToString("Prometheus at https://host with a given token");
  }

  @Test
  void blankTextIsNoToken() {
    assertThat(BearerToken.fixed(" \n").current()).isEmpty();
  }

  @Test
  void aTokenWithALineBreakInsideIsRefusedWithoutBeingShown() {
    assertThatThrownBy(() -> BearerToken.fixed("s3cret\r\nHost: other"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void aSuppliedTokenIsAskedForAtEachUseAndCheckedLikeAnyOther() {
    List<String> tokens = new ArrayList<>(List.of("first\n", "second", "s3cret\r\nHost: other"));
    BearerToken token = BearerToken.supplied(() -> Optional.of(tokens.removeFirst()));

    assertThat(token.current()).contains("first");
    assertThat(token.current()).contains("second");
    assertThatThrownBy(token::current)
        .isInstanceOf(Unavailable.class)
        .hasMessageNotContaining("s3cret");
    assertThat(BearerToken.supplied(Optional::empty).current()).isEmpty();
  }

  @Test
  void aTokenFileIsReadAgainWhenItChanges() throws IOException {
    Path file = Files.writeString(folder.resolve("token"), "first\n");
    BearerToken token = BearerToken.file(file);
    assertThat(token.current()).contains("first");

    Files.writeString(file, "other\n");
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2026-11-02T12:00:00Z")));

    assertThat(token.current()).contains("other");
    assertThat(token.toString()).contains("token").doesNotContain("other");
  }

  @Test
  void aTokenFileBehindALinkThatIsTurnedIsReadAgain() throws IOException {
    Path first = Files.writeString(folder.resolve("first"), "aaaa");
    Path second = Files.writeString(folder.resolve("second"), "bbbb");
    Files.setLastModifiedTime(second, Files.getLastModifiedTime(first));
    Path link = Files.createSymbolicLink(folder.resolve("link"), first);
    BearerToken token = BearerToken.file(link);
    assertThat(token.current()).contains("aaaa");

    Files.delete(link);
    Files.createSymbolicLink(link, second);

    assertThat(token.current()).contains("bbbb");
  }

  @Test
  void aTokenFileThatIsAbsentEmptyOrEndlessIsNamed() throws IOException {
    Path absent = folder.resolve("absent");
    Path empty = Files.writeString(folder.resolve("empty"), " ");
    Path large = Files.writeString(folder.resolve("large"), "x".repeat(100_000));

    for (Path file : new Path[] {absent, empty, large}) {
      assertThatThrownBy(() -> BearerToken.file(file).current())
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining(file.toString());
    }
  }
}
