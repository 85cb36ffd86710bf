package dev.fallow.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The body of a change: one flat JSON object of texts and numbers, each name at most once. */
public final class JsonBody {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final int LONGEST_TEXT = 4096;

  private final Map<String, Object> fields;

  private JsonBody(Map<String, Object> fields) {
    this.fields = fields;
  }

  /**
   * @param known the names there are; another one is a misspelt wish, which is refused
   * @throws Rejected naming what is wrong
   */
  public static JsonBody of(Request request, Set<String> known) {
    byte[] body = request.body();
    if (body.length == 0) {
      return new JsonBody(Map.of());
    }
    String type = request.header("Content-Type").orElse("").toLowerCase(Locale.ROOT);
    if (!type.equals("application/json") && !type.startsWith("application/json;")) {
      throw new Rejected(
          new Problem(415, "UNSUPPORTED_MEDIA_TYPE", "a body has to be application/json"));
    }
    return new JsonBody(read(body, known));
  }

  private static Map<String, Object> read(byte[] body, Set<String> known) {
    Map<String, Object> fields = new LinkedHashMap<>();
    try (JsonParser json = FACTORY.createParser(body)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw malformed();
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        if (!known.contains(name)) {
          throw Rejected.unknown(name, known);
        }
        switch (json.nextToken()) {
          case VALUE_STRING -> fields.put(name, text(name, json.getText()));
          case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> fields.put(name, json.getDoubleValue());
          case VALUE_NULL -> {
            // As if it were not there.
          }
          default -> throw Rejected.parameter(name, "is a text or a number");
        }
      }
      if (json.currentToken() != JsonToken.END_OBJECT || json.nextToken() != null) {
        throw malformed();
      }
    } catch (IOException unreadable) {
      throw malformed();
    }
    return fields;
  }

  private static String text(String name, String text) {
    if (text.length() > LONGEST_TEXT) {
      throw Rejected.parameter(name, "has at most " + LONGEST_TEXT + " characters");
    }
    return text;
  }

  private static Rejected malformed() {
    return new Rejected(Problem.badRequest("the body is not one JSON object"));
  }

  public Optional<String> text(String name) {
    Object value = fields.get(name);
    if (value != null && !(value instanceof String)) {
      throw Rejected.parameter(name, "is a text");
    }
    return Optional.ofNullable((String) value);
  }

  public Optional<Double> number(String name) {
    Object value = fields.get(name);
    if (value != null && !(value instanceof Double number && Double.isFinite(number))) {
      throw Rejected.parameter(name, "is a number");
    }
    return Optional.ofNullable((Double) value);
  }
}
