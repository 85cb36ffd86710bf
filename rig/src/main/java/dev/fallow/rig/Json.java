package dev.fallow.rig;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An immutable JSON value that forgives missing parts: {@code at} of something that is not there is
 * {@linkplain #isMissing missing}, not an error, as half of every Kubernetes object is optional.
 *
 * <p>Numbers and the order of keys survive reading and writing unchanged.
 */
public final class Json {
  private static final Json MISSING = new Json(null);

  /** Fields, Items, String, BigDecimal or Boolean; null both for JSON null and for missing. */
  private final @Nullable Object value;

  private record Fields(Map<String, Json> byKey) {}

  private record Items(List<Json> inOrder) {}

  private Json(@Nullable Object value) {
    this.value = value;
  }

  /** Reads exactly one JSON value. */
  public static Json parse(String text) {
    return new JsonReader(text).read();
  }

  public static Json text(String value) {
    return new Json(value);
  }

  static Json missing() {
    return MISSING;
  }

  static Json number(BigDecimal value) {
    return new Json(value);
  }

  static Json bool(boolean value) {
    return new Json(value);
  }

  static Json object(Map<String, Json> fields) {
    return new Json(new Fields(Collections.unmodifiableMap(fields)));
  }

  static Json array(List<Json> items) {
    return new Json(new Items(List.copyOf(items)));
  }

  /** The value under these keys, one level per key. */
  public Json at(String... keys) {
    Json json = this;
    for (String key : keys) {
      json = json.fields().getOrDefault(key, MISSING);
    }
    return json;
  }

  /** The items of an array; empty for everything else. */
  public List<Json> items() {
    return value instanceof Items items ? items.inOrder() : List.of();
  }

  /** The keys of an object; empty for everything else. */
  public Set<String> keys() {
    return fields().keySet();
  }

  /** A string's content, a number or boolean as written, and the empty string when missing. */
  public String text() {
    return switch (value) {
      case null -> "";
      case String string -> string;
      case BigDecimal number -> number.toString();
      case Boolean flag -> flag.toString();
      default -> toString();
    };
  }

  /** A number's value, also of a number written as a string; 0 when missing. */
  public long number() {
    return isMissing() ? 0 : new BigDecimal(text()).longValueExact();
  }

  /** Whether there is nothing here, or an explicit null. */
  public boolean isMissing() {
    return value == null;
  }

  /** A copy in which the value under these keys is another; objects on the way are made. */
  public Json with(Json replacement, String... keys) {
    if (keys.length == 0) {
      return replacement;
    }
    Map<String, Json> copy = new LinkedHashMap<>(fields());
    String[] rest = Arrays.copyOfRange(keys, 1, keys.length);
    copy.put(keys[0], at(keys[0]).with(replacement, rest));
    return object(copy);
  }

  /** A JSON string literal of this text, quotes included. */
  public static String quote(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    return out.append('"').toString();
  }

  /** The value as JSON text without white space. */
  @Override
  public String toString() {
    return switch (value) {
      case null -> "null";
      case String string -> quote(string);
      case Fields fields ->
          fields.byKey().entrySet().stream()
              .map(field -> quote(field.getKey()) + ":" + field.getValue())
              .collect(Collectors.joining(",", "{", "}"));
      case Items items ->
          items.inOrder().stream().map(Json::toString).collect(Collectors.joining(",", "[", "]"));
      default -> value.toString();
    };
  }

  private Map<String, Json> fields() {
    return value instanceof Fields fields ? fields.byKey() : Map.of();
  }
}
