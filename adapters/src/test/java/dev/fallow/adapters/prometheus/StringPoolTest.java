package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Equal texts are one String, different ones are not. */
class StringPoolTest {

  @Test
  void equalTextsAreOneString() throws Exception {
    StringPool pool = new StringPool(10_000_000);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 20_000; i++) {
        byte[] text = ("<node-" + i + ">").getBytes(StandardCharsets.UTF_8);
        assertThat(pool.of(text, 1, text.length - 2)).isEqualTo("node-" + i);
      }
    }
    assertThat(pool.size()).isEqualTo(20_000);
    assertThat(pool.of("ab".getBytes(StandardCharsets.UTF_8), 0, 2))
        .isSameAs(pool.of("ab".getBytes(StandardCharsets.UTF_8), 0, 2));
    assertThat(pool.of(new byte[0], 0, 0)).isEmpty();
  }

  @Test
  void itHoldsOnlySoMuch() throws Exception {
    StringPool pool = new StringPool(10);
    pool.of("12345".getBytes(StandardCharsets.UTF_8), 0, 5);
    pool.of("12345".getBytes(StandardCharsets.UTF_8), 0, 5);
    pool.of("67890".getBytes(StandardCharsets.UTF_8), 0, 5);

    assertThatThrownBy(() -> pool.of("x".getBytes(StandardCharsets.UTF_8), 0, 1))
        .isInstanceOf(ReplyTooLarge.class);
  }
}
