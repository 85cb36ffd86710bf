package dev.fallow.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderTextTest {

  private static String meant(String read) {
    return HeaderText.of(Map.of("X-Remote-User", List.of(read)))
        .getOrDefault("X-Remote-User", List.of())
        .getFirst();
  }

  @ParameterizedTest
  @ValueSource(strings = {"alice", "Entwickler-Köln", "модели", "開発", "a b"})
  void namesAreReadAsTheyWereSent(String name) {
    String asTheServerReadsBytes = new String(name.getBytes(UTF_8), ISO_8859_1);
    assertThat(meant(asTheServerReadsBytes)).isEqualTo(name);
  }

  @Test
  void whatIsNoUtf8StaysAsItWasRead() {
    assertThat(meant("a\u00ff")).isEqualTo("a\u00ff");
    assertThat(meant("a\u00fe")).isEqualTo("a\u00fe");
  }
}
