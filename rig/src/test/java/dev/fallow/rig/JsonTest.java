package dev.fallow.rig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"b\":[1,-2.50,1E+30,true,false,null],\"a\":{\"x\":\"\\\"\\\\\\n\\u0001é\"}}",
        "[]",
        "{}",
        "\"\"",
        "9007199254740993"
      })
  void valuesSurviveReadingAndWriting(String text) {
    assertThat(Json.parse(text)).hasToString(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[1,]", "{\"a\"}", "nul", "1 2", "\"\\x\"", "\"\\u00", "-"})
  void brokenTextIsRefused(String text) {
    assertThatThrownBy(() -> Json.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void whatIsNotThereIsMissing() {
    Json json = Json.parse("{\"a\":{\"b\":7}}");

    assertThat(json.at("a", "b").number()).isEqualTo(7);
    assertThat(json.at("a", "c", "d").isMissing()).isTrue();
    assertThat(json.at("x").text()).isEmpty();
    assertThat(json.at("x").items()).isEmpty();
  }

  @Test
  void replacedValueLeavesTheRestAlone() {
    Json json = Json.parse("{\"a\":{\"b\":1,\"c\":2},\"d\":3}");

    assertThat(json.with(Json.text("x"), "a", "b"))
        .hasToString("{\"a\":{\"b\":\"x\",\"c\":2},\"d\":3}");
    assertThat(json.with(Json.text("x"), "n", "m").at("n", "m").text()).isEqualTo("x");
  }
}
