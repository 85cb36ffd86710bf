package dev.fallow.core.notice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MessageTest {

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\r\nBcc: x", "a@b", "ü"})
  void anIdThatCouldBreakOutOfAHeaderIsNone(String id) {
    assertThatThrownBy(() -> message(id)).isInstanceOf(IllegalArgumentException.class);
    assertThat(message("m_1-A").id()).isEqualTo("m_1-A");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "javascript:alert(1)",
        "https://a.example/x|y",
        "https://a.example/>",
        "https://a.example/\"onclick",
        "https://a.example/a b",
        "https://user:secret@a.example/",
        "//a.example",
        "ftp://a.example",
        ""
      })
  void whatIsNotAPlainWebAddressIsNoLink(String url) {
    assertThatThrownBy(() -> new Link(url))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("https://");
  }

  @Test
  void aPlainWebAddressIsALink() {
    String url = "https://fallow.example:8443/workloads/ml?x=1&y=%20#top";

    assertThat(new Link(url).url()).isEqualTo(url);
  }

  private static Message message(String id) {
    return new Message(
        id,
        Message.Kind.IDLE,
        "Deployment/ml/trainer",
        "ml",
        "headline",
        "sentence",
        List.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        false);
  }
}
