package dev.fallow.server;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values as JSON: texts, numbers, truths, and maps and lists of them in their own order. An empty
 * Optional and a number that JSON cannot write are null; anything else is its text.
 */
public final class JsonText {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  private JsonText() {}

  public static String of(@Nullable Object value) {
    return new String(bytes(value), StandardCharsets.UTF_8);
  }

  /** The same as it is sent. */
  public static byte[] bytes(@Nullable Object value) {
    try (ByteArrayBuilder bytes = new ByteArrayBuilder()) {
      try (JsonGenerator json = FACTORY.createGenerator(bytes, JsonEncoding.UTF8)) {
        write(json, value);
      }
      return bytes.toByteArray();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
    switch (value) {
      case null -> json.writeNull();
      case Map<?, ?> map -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          json.writeFieldName(whole(String.valueOf(entry.getKey())));
          write(json, entry.getValue());
        }
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        for (Object entry : list) {
          write(json, entry);
        }
        json.writeEndArray();
      }
      case Optional<?> optional -> write(json, optional.orElse(null));
      case Boolean truth -> json.writeBoolean(truth);
      case Integer number -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case Double number when Double.isFinite(number) -> json.writeNumber(number);
      case Double unwritable -> json.writeNull();
      default -> json.writeString(whole(value.toString()));
    }
  }

  /**
   * Half of a pair has no UTF-8, and somebody may have written one into a name: a question mark.
   */
  private static String whole(String text) {
    return text.chars().anyMatch(c -> Character.isSurrogate((char) c))
        ? new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
        : text;
  }
}
