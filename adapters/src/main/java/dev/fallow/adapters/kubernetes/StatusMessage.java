package dev.fallow.adapters.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/** The sentence in the Status object that the API server sends with a refusal. */
final class StatusMessage {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHORT = 300;

  private StatusMessage() {}

  static String of(String body) {
    String said = body;
    try {
      JsonNode message = JSON.readTree(body).path("message");
      said = message.isTextual() ? message.textValue() : body;
    } catch (JsonProcessingException notJson) {
      // A proxy in between speaks in its own words.
    }
    String line = said.replaceAll("\\s+", " ").strip();
    return line.length() > SHORT ? line.substring(0, SHORT) + "…" : line;
  }
}
