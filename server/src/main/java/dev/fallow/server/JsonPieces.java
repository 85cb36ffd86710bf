package dev.fallow.server;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A JSON object, field by field, that takes up values which have been written before. */
public final class JsonPieces {

  private static final byte[] COMMA = {','};
  private static final byte[] END_OF_ROWS = {']'};
  private static final byte[] END = {'}'};

  private final List<byte[]> pieces = new ArrayList<>();
  private String before = "{";

  public JsonPieces field(String name, @Nullable Object value) {
    begin(name, "");
    pieces.add(JsonText.bytes(value));
    return this;
  }

  /**
   * @param rows each the JSON of one value, which stays as it is
   */
  public JsonPieces rows(String name, List<byte[]> rows) {
    begin(name, "[");
    for (int i = 0; i < rows.size(); i++) {
      if (i > 0) {
        pieces.add(COMMA);
      }
      pieces.add(rows.get(i));
    }
    pieces.add(END_OF_ROWS);
    return this;
  }

  private void begin(String name, String bracket) {
    pieces.add((before + "\"" + name + "\":" + bracket).getBytes(StandardCharsets.UTF_8));
    before = ",";
  }

  /** The object once it has all its fields, of which there has to be one at least. */
  public List<byte[]> end() {
    List<byte[]> all = new ArrayList<>(pieces);
    all.add(END);
    return all;
  }
}
