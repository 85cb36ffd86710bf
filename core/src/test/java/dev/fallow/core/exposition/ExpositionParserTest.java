package dev.fallow.core.exposition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.core.exposition.ExpositionParser.Timestamps;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpositionParserTest {

  private final List<String> seen = new ArrayList<>();

  private boolean parse(Timestamps timestamps, String text) throws Exception {
    return new ExpositionParser(
            timestamps,
            (series, value, millis) ->
                seen.add(
                    series + " " + value + " " + (millis.isPresent() ? millis.getAsLong() : "-")))
        .parse(new StringReader(text));
  }

  @Test
  void bothTextFormatsAreRead() throws Exception {
    parse(Timestamps.MILLISECONDS, "# HELP a b\na{x=\"}\\\"\"} 1 1700000000123\nb 2\n");
    parse(Timestamps.SECONDS, "c{} 3e-05 1700000000.5 # {id=\"1\"} 1\n# EOF\n\n");

    assertThat(seen)
        .containsExactly("a{x=\"}\\\"\"} 1.0 1700000000123", "b 2.0 -", "c{} 3.0E-5 1700000000500");
  }

  @Test
  void theEndMarkTellsWholeTextFromACutOne() throws Exception {
    assertThat(parse(Timestamps.SECONDS, "a 1\n# EOF\n")).isTrue();
    assertThat(parse(Timestamps.SECONDS, "a 1\n")).isFalse();
    assertThatThrownBy(() -> parse(Timestamps.SECONDS, "a 1\n# EOF\nb 2\n"))
        .isInstanceOf(MalformedText.class)
        .hasMessageContaining("line 3 comes after the end mark");
  }

  @Test
  void byteOrderMarksAndWindowsLineEndsArePassedOver() throws Exception {
    assertThat(parse(Timestamps.SECONDS, "\uFEFFa 1\r\nb 2\r\n# EOF\r\n")).isTrue();
    assertThat(seen).containsExactly("a 1.0 -", "b 2.0 -");
  }

  @Test
  void valuesThatAreNoNumbersToJavaAreNumbersHere() throws Exception {
    parse(Timestamps.SECONDS, "a NaN\na +Inf\na -Inf\na -0\na Infinity\n");
    assertThat(seen)
        .containsExactly("a NaN -", "a Infinity -", "a -Infinity -", "a -0.0 -", "a Infinity -");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a{x=\"1\"",
        "a{x=\"1\"}",
        " 1",
        "a one",
        "a 1f",
        "a 0x10",
        "a 1 soon",
        "a 1 1 1",
        "a 1 1e300",
        "{x=\"1\"} 1"
      })
  void aLineThatIsNoSampleIsRefusedWithItsNumber(String line) {
    assertThatThrownBy(() -> parse(Timestamps.SECONDS, "ok 1\n" + line + "\n"))
        .isInstanceOf(MalformedText.class)
        .hasMessageStartingWith("line 2");
  }

  @Test
  void labelsSurviveBeingWrittenAndReadAgain() throws Exception {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("quote", "a\"b");
    labels.put("slash", "a\\b");
    labels.put("line", "a\nb");
    labels.put("emoji", "🦀,={}");
    SeriesText written = new SeriesText("metric", labels);

    assertThat(SeriesText.parse(written.toString())).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a{x}", "a{x=1}", "a{x=\"1\" y=\"2\"}", "a{=\"1\"}", "a{x=\"1\",x=\"2\"}", "a{"})
  void labelsThatAreNoneAreRefused(String text) {
    assertThatThrownBy(() -> SeriesText.parse(text)).isInstanceOf(MalformedText.class);
  }
}
