package dev.fallow.app.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FieldsTest {

  private static final String HOSTILE = "\u001b[2J\u009b1m\u202egpj.exe\u007f";

  @Test
  void noFormatPrintsWhatMovesACursorOrTurnsTheWriting() {
    List<String> printed =
        List.of(
            Fields.csv(List.of("a", HOSTILE)),
            Fields.json(Map.of("name", HOSTILE)),
            Fields.yaml(Map.of("name", HOSTILE)));

    assertThat(printed)
        .allSatisfy(text -> assertThat(text.strip()).isEqualTo(Style.visible(text.strip())));
  }

  @Test
  void whatIsEscapedInJsonKeepsItsValue() {
    assertThat(Fields.json(Map.of("name", HOSTILE)))
        .isEqualToIgnoringCase("{\"name\":\"\\u001b[2J\\u009b1m\\u202egpj.exe\\u007f\"}");
  }

  @Test
  void aCellThatLooksLikeAFormulaOrHasLinesIsQuoted() {
    assertThat(Fields.csv(List.of("=1+1", "two\nlines", "a,b", "plain")))
        .isEqualTo("'=1+1,\"two\nlines\",\"a,b\",plain");
  }
}
