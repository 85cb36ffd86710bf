package dev.fallow.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JsonTextTest {

  @Test
  void valuesAreWrittenAsTheyAre() {
    assertThat(JsonText.of(List.of(1, 2L, 0.5, true, "a\"b", Optional.empty(), Double.NaN)))
        .isEqualTo("[1,2,0.5,true,\"a\\\"b\",null,null]");
    assertThat(JsonText.bytes(Map.of("ä", "\ud83d\ude00")))
        .isEqualTo("{\"ä\":\"\ud83d\ude00\"}".getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void halfOfAPairDoesNotSpoilTheRest() {
    assertThat(JsonText.of(Map.of("a\udc00", List.of("x\ud800y", "\ud83d\ude00\ude00"))))
        .isEqualTo("{\"a?\":[\"x?y\",\"\ud83d\ude00?\"]}");
  }

  @Test
  void piecesThatWereWrittenBeforeAreTakenUpAsTheyAre() {
    byte[] row = JsonText.bytes(Map.of("a", 1));
    Body body =
        Body.of(
            new JsonPieces()
                .field("at", "noon")
                .rows("items", List.of(row, row))
                .rows("none", List.of())
                .field("next", null)
                .end());
    assertThat(Reply.of(200, "application/json", body).bodyText())
        .isEqualTo("{\"at\":\"noon\",\"items\":[{\"a\":1},{\"a\":1}],\"none\":[],\"next\":null}");
  }
}
