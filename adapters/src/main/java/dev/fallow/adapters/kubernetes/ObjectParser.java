package dev.fallow.adapters.kubernetes;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.JsonEOFException;
import dev.fallow.core.fleet.ObjectTree;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the API server's JSON as it arrives, object by object, and keeps only what a projection
 * names. What is skipped costs no memory, however large or deep.
 */
final class ObjectParser {

  /**
   * The API server itself takes objects up to 10 000 levels deep; whoever can create an object must
   * not be able to blind this program with it.
   */
  private static final int DEEPEST = 10_100;

  /** Deeper than anything core reads; below it a kept value is dropped, so recursion is bounded. */
  private static final int DEEPEST_KEPT = 32;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEEPEST)
                  .maxNameLength(8 * 1024 * 1024)
                  .maxStringLength(32 * 1024 * 1024)
                  .build())
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  private final JsonParser parser;

  private ObjectParser(JsonParser parser) {
    this.parser = parser;
  }

  /** The list's metadata; its items go to the sink one by one, in order. */
  static ListMetadata list(InputStream body, Projection projection, Consumer<ObjectTree> sink)
      throws IOException {
    try (JsonParser json = JSON.createParser(body)) {
      ObjectParser parser = new ObjectParser(json);
      parser.expect(json.nextToken(), JsonToken.START_OBJECT);
      ObjectTree metadata = ObjectTree.EMPTY;
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        JsonToken value = json.nextToken();
        if (field.equals("items") && value == JsonToken.START_ARRAY) {
          while (json.nextToken() != JsonToken.END_ARRAY) {
            parser.expect(json.currentToken(), JsonToken.START_OBJECT);
            sink.accept(parser.tree(projection));
          }
        } else if (field.equals("metadata") && value == JsonToken.START_OBJECT) {
          metadata = parser.tree(ListMetadata.PROJECTION);
        } else {
          json.skipChildren();
        }
      }
      parser.expect(json.currentToken(), JsonToken.END_OBJECT);
      return ListMetadata.of(metadata);
    }
  }

  static ObjectTree object(InputStream body, Projection projection) throws IOException {
    try (JsonParser json = JSON.createParser(body)) {
      ObjectParser parser = new ObjectParser(json);
      parser.expect(json.nextToken(), JsonToken.START_OBJECT);
      return parser.tree(projection);
    }
  }

  /**
   * Objects one after another until the stream ends; each goes to the sink as soon as it is whole.
   */
  static void sequence(InputStream body, Projection projection, Consumer<ObjectTree> sink)
      throws IOException {
    try (JsonParser json = JSON.createParser(body)) {
      ObjectParser parser = new ObjectParser(json);
      while (json.nextToken() != null) {
        parser.expect(json.currentToken(), JsonToken.START_OBJECT);
        sink.accept(parser.tree(projection));
      }
    }
  }

  /** The object that the parser has just entered. */
  private ObjectTree tree(Projection projection) throws IOException {
    return new ObjectTree(map(projection, 0));
  }

  private Map<String, Object> map(Projection projection, int depth) throws IOException {
    Map<String, Object> fields = new HashMap<>(8);
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      Projection below = projection.below(name);
      if (below == null) {
        parser.skipChildren();
      } else {
        value(below, depth + 1).ifPresent(value -> fields.put(name, value));
      }
    }
    expect(parser.currentToken(), JsonToken.END_OBJECT);
    return fields;
  }

  private List<Object> array(Projection projection, int depth) throws IOException {
    List<Object> entries = new ArrayList<>(4);
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() == null) {
        throw new JsonEOFException(parser, null, "the answer ends in the middle");
      }
      value(projection, depth + 1).ifPresent(entries::add);
    }
    return entries;
  }

  /** Where fields are named and there is a plain value instead, it is kept: core takes no harm. */
  private Optional<Object> value(Projection projection, int depth) throws IOException {
    JsonToken token = parser.currentToken();
    if (depth > DEEPEST_KEPT) {
      parser.skipChildren();
      return Optional.empty();
    }
    return switch (token) {
      case START_OBJECT -> Optional.of(map(projection, depth));
      case START_ARRAY -> Optional.of(array(projection, depth));
      case VALUE_STRING -> Optional.of(parser.getText());
      case VALUE_TRUE -> Optional.of(true);
      case VALUE_FALSE -> Optional.of(false);
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? Optional.of(parser.getText())
              : Optional.of(parser.getLongValue());
      case VALUE_NUMBER_FLOAT -> Optional.of(parser.getDoubleValue());
      case null, default -> Optional.empty();
    };
  }

  private void expect(@Nullable JsonToken token, JsonToken expected) throws IOException {
    if (token == null) {
      throw new JsonEOFException(parser, null, "the answer ends in the middle");
    }
    if (token != expected) {
      throw new JsonParseException(parser, "the answer is not what was asked for");
    }
  }
}
