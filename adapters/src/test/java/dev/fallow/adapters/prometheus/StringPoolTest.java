package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Equal texts are one String, different ones are not. */
class StringPoolTest {

  @Test
  void equalTextsAreOneString() throws Exception {
    StringPool pool = new StringPool(10_000_000);
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 20_000; i++) {
        char[] text = ("<node-" + i + ">").toCharArray();
        assertThat(pool.of(text, 1, text.length - 2)).isEqualTo("node-" + i);
      }
    }
    assertThat(pool.size()).isEqualTo(20_000);
    assertThat(pool.of("ab".toCharArray(), 0, 2)).isSameAs(pool.of("ab".toCharArray(), 0, 2));
    assertThat(pool.of(new char[0], 0, 0)).isEmpty();
  }

  @Test
  void itHoldsOnlySoMuch() throws Exception {
    StringPool pool = new StringPool(10);
    pool.of("12345".toCharArray(), 0, 5);
    pool.of("12345".toCharArray(), 0, 5);
    pool.of("67890".toCharArray(), 0, 5);

    assertThatThrownBy(() -> pool.of("x".toCharArray(), 0, 1)).isInstanceOf(ReplyTooLarge.class);
  }
}
