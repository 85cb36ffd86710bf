package dev.fallow.server.keda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtoReaderTest {

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  @Test
  void whatIsNotKnownIsPassedOver() {
    // name=a; field 9 of each type that there is; namespace=b.
    byte[] message =
        hex("0a0161" + "4805" + "490102030405060708" + "4a021122" + "4d01020304" + "120162");
    assertThat(ScaledObject.read(message)).isEqualTo(new ScaledObject("a", "b", Map.of()));
  }

  @Test
  void theLastOfAFieldCounts() {
    assertThat(ScaledObject.read(hex("0a01610a0162")).name()).isEqualTo("b");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0a", // a text without a length
        "0a05", // a text that ends early
        "0aff", // a length that ends early
        "0affffffffffffffffff01", // a length below zero
        "0affffffffffffffffffff01", // a number of eleven bytes
        "0a01ff", // not UTF-8
        "08017b", // a number where a text belongs
        "0b", // a group
        "0f", // no type at all
        "00", // field 0
        "1a020a05", // an entry that ends early
        "ffffffffffffffffff01" // a field's number beyond all
      })
  void whatNoWriterWritesIsRefused(String message) {
    assertThatThrownBy(() -> ScaledObject.read(hex(message)))
        .isInstanceOf(ProtoReader.Malformed.class);
  }

  @Test
  void keysWithoutEndAreRefused() {
    ProtoWriter message = new ProtoWriter();
    for (int i = 0; i < 200; i++) {
      message.message(3, new ProtoWriter().text(1, "key" + i));
    }
    assertThatThrownBy(() -> ScaledObject.read(message.bytes()))
        .isInstanceOf(ProtoReader.Malformed.class)
        .hasMessageContaining("100 keys");
  }

  @Test
  void randomBytesAreReadOrRefusedAndNothingElse() {
    Random random = new Random(7);
    for (int i = 0; i < 50_000; i++) {
      byte[] message = new byte[random.nextInt(24)];
      random.nextBytes(message);
      assertThatCode(
              () -> {
                try {
                  MetricsRequest.read(message);
                } catch (ProtoReader.Malformed refused) {
                  // As it should.
                }
              })
          .doesNotThrowAnyException();
    }
  }
}
