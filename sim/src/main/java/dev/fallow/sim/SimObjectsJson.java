package dev.fallow.sim;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The fleet's objects as JSON, one by one or as the List that {@code kubectl get -o json} gives.
 */
public final class SimObjectsJson {

  private SimObjectsJson() {}

  public static String list(SimulatedFleet fleet, Instant at) {
    StringBuilder json = new StringBuilder("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[");
    String comma = "\n";
    for (Map<String, Object> object : fleet.objects(at)) {
      json.append(comma);
      append(json, object);
      comma = ",\n";
    }
    return json.append("\n]}\n").toString();
  }

  public static String object(Map<String, Object> object) {
    StringBuilder json = new StringBuilder();
    append(json, object);
    return json.toString();
  }

  private static void append(StringBuilder json, Object value) {
    switch (value) {
      case Map<?, ?> map -> {
        json.append('{');
        String comma = "";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          json.append(comma);
          quote(json, entry.getKey().toString());
          json.append(':');
          append(json, entry.getValue());
          comma = ",";
        }
        json.append('}');
      }
      case List<?> list -> {
        json.append('[');
        String comma = "";
        for (Object entry : list) {
          json.append(comma);
          append(json, entry);
          comma = ",";
        }
        json.append(']');
      }
      case Boolean truth -> json.append(truth);
      case Number number -> json.append(number);
      default -> quote(json, value.toString());
    }
  }

  static void quote(StringBuilder json, String text) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        default -> {
          if (c < 0x20) {
            json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            json.append(c);
          }
        }
      }
    }
    json.append('"');
  }
}
