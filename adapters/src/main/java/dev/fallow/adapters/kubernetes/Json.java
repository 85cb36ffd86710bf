package dev.fallow.adapters.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fallow.core.fleet.ObjectTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Nested maps as JSON text, and small JSON texts as trees. */
final class Json {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  static String write(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** The object that a text holds, if it holds one and nothing else. */
  static Optional<ObjectTree> read(String text) {
    try {
      return Optional.of(
          ObjectParser.object(
              new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), Projection.WHOLE));
    } catch (IOException noObject) {
      return Optional.empty();
    }
  }

  /** One merge patch of two; where both say something of a field that is no object, the later. */
  @SuppressWarnings("unchecked") // only ever maps that we have built
  static Map<String, Object> merged(Map<String, Object> one, Map<String, Object> other) {
    Map<String, Object> sum = new HashMap<>(one);
    other.forEach((key, value) -> {
      Object here = sum.get(key);
      sum.put(
          key,
          here instanceof Map<?, ?> left && value instanceof Map<?, ?> right
              ? merged((Map<String, Object>) left, (Map<String, Object>) right)
              : value);
    });
    return sum;
  }
}
