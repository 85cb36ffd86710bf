package dev.fallow.adapters.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import dev.fallow.core.idle.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the answer to a query for raw samples as it arrives, and keeps of it only what the fleet
 * needs: samples in the range. The keys may come in any order. Series are handed on before it is
 * known whether the answer as a whole is a success, so whoever takes them must be ready to throw
 * them away.
 */
final class MatrixParser {

  private static final int LONGEST_TEXT = 128 * 1024;
  private static final int MOST_LABELS = 1000;
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(64)
                  .maxStringLength(LONGEST_TEXT)
                  .maxNameLength(LONGEST_TEXT)
                  .maxNumberLength(400)
                  .build())
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();

  /** Takes each series that has samples in the range. */
  interface Sink {
    /**
     * @param labels without the metric's name; the map is used again for the next series
     */
    void take(String metric, Map<String, String> labels, Samples samples) throws IOException;
  }

  private final SampleRange range;
  private final Instant base;
  private final int mostSamples;
  private final StringPool pool;
  private final Sink sink;
  private final Map<String, String> labels = new HashMap<>();
  private String metric = "";
  private Samples neighbour = Samples.NONE;
  private final MatrixAnswer.Builder answer = new MatrixAnswer.Builder();

  /**
   * @param base what sample times are counted from; it has to be within 24 days of the range
   */
  MatrixParser(SampleRange range, Instant base, ReadLimits limits, StringPool pool, Sink sink) {
    this.range = range;
    this.base = base;
    this.mostSamples = limits.samplesPerSeries();
    this.pool = pool;
    this.sink = sink;
  }

  /** Reads one answer to its end. */
  MatrixAnswer parse(InputStream body) throws IOException {
    try (JsonParser json = JSON.createParser(body)) {
      JsonToken first = json.nextToken();
      if (first != JsonToken.START_OBJECT) {
        throw new MalformedReply(first == null ? "it is empty" : "it is not a JSON object");
      }
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String key = json.currentName();
        json.nextToken();
        envelope(json, key);
      }
      if (json.nextToken() != null) {
        throw new MalformedReply("something follows its end");
      }
    }
    return answer.build();
  }

  private void envelope(JsonParser json, String key) throws IOException {
    switch (key) {
      case "status" -> answer.status(text(json));
      case "error" -> answer.error(text(json));
      case "warnings" -> warnings(json);
      case "isPartial" -> {
        answer.partial(json.currentToken() == JsonToken.VALUE_TRUE);
        json.skipChildren();
      }
      case "data" -> data(json);
      default -> json.skipChildren();
    }
  }

  private void warnings(JsonParser json) throws IOException {
    if (json.currentToken() == JsonToken.START_ARRAY) {
      while (json.nextToken() != JsonToken.END_ARRAY) {
        answer.warning(text(json));
      }
    } else if (json.currentToken() != JsonToken.VALUE_NULL) {
      answer.warning(text(json));
    }
  }

  private static String text(JsonParser json) throws IOException {
    String text = json.getValueAsString("");
    json.skipChildren();
    return text;
  }

  private void data(JsonParser json) throws IOException {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      switch (key) {
        case "resultType" -> answer.resultType(text(json));
        case "result" -> result(json);
        default -> json.skipChildren();
      }
    }
  }

  private void result(JsonParser json) throws IOException {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      answer.result(json.currentToken() == JsonToken.VALUE_NULL);
      json.skipChildren();
      return;
    }
    answer.result(true);
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (json.currentToken() == JsonToken.START_OBJECT) {
        series(json);
      } else {
        answer.result(false);
        json.skipChildren();
      }
    }
  }

  private void series(JsonParser json) throws IOException {
    labels.clear();
    metric = "";
    Samples.Builder samples = new Samples.Builder(base);
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String key = json.currentName();
      json.nextToken();
      switch (key) {
        case "metric" -> metric(json);
        case "values" -> values(json, samples);
        case "value" -> {
          answer.result(false);
          json.skipChildren();
        }
        default -> json.skipChildren();
      }
    }
    if (samples.size() > 0) {
      neighbour = samples.build(neighbour);
      sink.take(metric, labels, neighbour);
    }
  }

  private void metric(JsonParser json) throws IOException {
    require(json, JsonToken.START_OBJECT, "the labels of a series are not an object");
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      if (json.nextToken() != JsonToken.VALUE_STRING) {
        throw new MalformedReply("a label value is not a string");
      }
      String value = pool.of(json.getTextCharacters(), json.getTextOffset(), json.getTextLength());
      if (name.equals("__name__")) {
        metric = value;
      } else {
        labels.put(name, value);
      }
      if (labels.size() > MOST_LABELS) {
        throw new ReplyTooLarge("a series has more than " + MOST_LABELS + " labels");
      }
    }
  }

  private void values(JsonParser json, Samples.Builder samples) throws IOException {
    require(json, JsonToken.START_ARRAY, "the values of a series are not a list");
    while (json.nextToken() != JsonToken.END_ARRAY) {
      require(json, JsonToken.START_ARRAY, "a sample is not a pair");
      json.nextToken();
      requireScalar(json);
      long millis =
          DecimalText.millis(json.getTextCharacters(), json.getTextOffset(), json.getTextLength());
      json.nextToken();
      requireScalar(json);
      if (range.contains(millis)) {
        samples.add(
            millis,
            DecimalText.value(
                json.getTextCharacters(), json.getTextOffset(), json.getTextLength()));
        if (samples.size() > mostSamples) {
          throw new ReplyTooLarge("a series has more than " + mostSamples + " samples");
        }
      }
      if (json.nextToken() != JsonToken.END_ARRAY) {
        throw new MalformedReply("a sample is not a pair");
      }
    }
  }

  private static void requireScalar(JsonParser json) throws IOException {
    JsonToken token = json.currentToken();
    if (token != JsonToken.VALUE_STRING && (token == null || !token.isNumeric())) {
      throw new MalformedReply("a sample is not a time and a value");
    }
  }

  private static void require(JsonParser json, JsonToken token, String otherwise)
      throws IOException {
    if (json.currentToken() != token) {
      throw new MalformedReply(otherwise);
    }
  }
}
