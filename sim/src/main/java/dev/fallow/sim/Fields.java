package dev.fallow.sim;

import java.util.LinkedHashMap;
import java.util.Map;

/** Maps that keep the order they are written in, so that the same fleet prints the same text. */
final class Fields {

  private Fields() {}

  static Map<String, Object> of(String one, Object first, String two, Object second) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put(one, first);
    fields.put(two, second);
    return fields;
  }

  static Map<String, Object> of(
      String one, Object first, String two, Object second, String three, Object third) {
    Map<String, Object> fields = of(one, first, two, second);
    fields.put(three, third);
    return fields;
  }
}
