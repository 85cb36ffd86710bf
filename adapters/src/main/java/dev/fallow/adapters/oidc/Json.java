package dev.fallow.adapters.oidc;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/** An issuer's JSON: what two readers may read differently is not read at all. */
final class Json {

  private static final ObjectMapper MAPPER =
      new ObjectMapper(
              JsonFactory.builder()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(60)
                          .maxNumberLength(30)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private Json() {}

  static Optional<JsonNode> object(String text) {
    try {
      return Optional.ofNullable(MAPPER.readTree(text)).filter(JsonNode::isObject);
    } catch (JsonProcessingException noJson) {
      return Optional.empty();
    }
  }

  /** A text in it; empty where there is none. */
  static String text(JsonNode node, String name) {
    return node.path(name).isTextual() ? node.path(name).textValue() : "";
  }
}
