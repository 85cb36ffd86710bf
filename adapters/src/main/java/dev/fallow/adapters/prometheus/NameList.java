package dev.fallow.adapters.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.fallow.core.autoscale.Feed;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;

/** Reads a list of metric names, as the query API gives the values of a label. */
final class NameList {

  static final long MOST_BYTES = 8 << 20;

  private static final JsonFactory JSON = new JsonFactory();
  private static final int MOST_NAMES = 5000;

  private NameList() {}

  static Set<String> parse(InputStream body) throws IOException {
    Set<String> names = new TreeSet<>();
    String status = "";
    try (JsonParser json = JSON.createParser(body)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedReply("it is not an object");
      }
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String key = json.currentName();
        json.nextToken();
        if (key.equals("status")) {
          status = json.getValueAsString("");
          json.skipChildren();
        } else if (key.equals("data") && json.currentToken() == JsonToken.START_ARRAY) {
          list(json, names);
        } else {
          json.skipChildren();
        }
      }
    }
    if (!status.equals("success")) {
      throw new MalformedReply("it says of itself \"" + Words.abridged(status) + "\"");
    }
    return names;
  }

  private static void list(JsonParser json, Set<String> names) throws IOException {
    while (json.nextToken() != JsonToken.END_ARRAY) {
      String name = json.getValueAsString("");
      if (Feed.listed(name) && names.size() < MOST_NAMES) {
        names.add(name);
      }
      json.skipChildren();
    }
  }
}
