package dev.fallow.adapters;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;

/**
 * JSON of others, of which nothing is read that two readers may read differently, and of our own.
 */
public final class WaryJson {

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(60)
                          .maxStringLength(256 * 1024)
                          .maxNumberLength(100)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private WaryJson() {}

  public static byte[] write(Object value) {
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("only maps, lists and clean texts are written", impossible);
    }
  }

  /** The object that the bytes hold, if they hold one and nothing else. */
  public static Optional<JsonNode> object(byte[] bytes) {
    try {
      return Optional.ofNullable(MAPPER.readTree(bytes)).filter(JsonNode::isObject);
    } catch (IOException noJson) {
      return Optional.empty();
    }
  }

  /** A text in it; empty where there is none, or something else. */
  public static String text(JsonNode node, String... path) {
    JsonNode here = node;
    for (String step : path) {
      here = here.path(step);
    }
    return here.isTextual() ? here.textValue() : "";
  }
}
