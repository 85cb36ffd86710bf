package dev.fallow.adapters.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A reply made a tree by a JSON library and then read from it, with no thought of speed. */
final class PlainReading {

  /** What a series came to. */
  record Series(String metric, Map<String, String> labels, List<Sample> samples) {}

  record Sample(long millis, float value) {}

  record Answer(MatrixAnswer itself, List<Series> series) {}

  /** Objects keep members of the same name, each in its place. */
  private record Node(JsonToken kind, String text, List<Member> members) {

    String words() {
      return kind.isScalarValue() && kind != JsonToken.VALUE_NULL ? text : "";
    }
  }

  private record Member(String name, Node value) {}

  private static final JsonFactory JSON = new JsonFactory();

  private final SampleRange range;
  private final MatrixAnswer.Builder itself = new MatrixAnswer.Builder();
  private final List<Series> series = new ArrayList<>();

  private PlainReading(SampleRange range) {
    this.range = range;
  }

  /** Nothing if it is to be refused. */
  static Optional<Answer> of(byte[] body, SampleRange range) {
    try {
      PlainReading reading = new PlainReading(range);
      reading.envelope(tree(body));
      return Optional.of(new Answer(reading.itself.build(), reading.series));
    } catch (IOException refused) {
      return Optional.empty();
    }
  }

  /**
   * The library would also take UTF-16, and bytes that are nearly UTF-8; both are no JSON for the
   * product, so they are turned down here.
   */
  private static Node tree(byte[] body) throws IOException {
    String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    try (JsonParser json = JSON.createParser(text)) {
      if (json.nextToken() == null) {
        throw new MalformedReply("empty");
      }
      Node root = node(json);
      if (json.nextToken() != null) {
        throw new MalformedReply("more than one");
      }
      return root;
    }
  }

  private static Node node(JsonParser json) throws IOException {
    JsonToken kind = json.currentToken();
    List<Member> members = new ArrayList<>();
    if (kind.isScalarValue()) {
      return new Node(kind, utf8(json.getText()), members);
    }
    while (!json.nextToken().isStructEnd()) {
      String name = utf8(String.valueOf(json.currentName()));
      if (kind == JsonToken.START_OBJECT) {
        json.nextToken();
      }
      members.add(new Member(name, node(json)));
    }
    return new Node(kind, "", members);
  }

  /** Half of a surrogate pair can be escaped and is no text; in UTF-8 it is a question mark. */
  private static String utf8(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private void envelope(Node root) throws IOException {
    require(root.kind == JsonToken.START_OBJECT);
    for (Member member : root.members) {
      Node value = member.value;
      switch (member.name) {
        case "status" -> itself.status(value.words());
        case "error" -> itself.error(value.words());
        case "isPartial" -> itself.partial(value.kind == JsonToken.VALUE_TRUE);
        case "warnings" -> {
          if (value.kind == JsonToken.START_ARRAY) {
            value.members.forEach(warning -> itself.warning(warning.value.words()));
          } else if (value.kind != JsonToken.VALUE_NULL) {
            itself.warning(value.words());
          }
        }
        case "data" -> data(value);
        default -> {}
      }
    }
  }

  private void data(Node data) throws IOException {
    if (data.kind != JsonToken.START_OBJECT) {
      return;
    }
    for (Member member : data.members) {
      if (member.name.equals("resultType")) {
        itself.resultType(member.value.words());
      } else if (member.name.equals("result")) {
        result(member.value);
      }
    }
  }

  private void result(Node result) throws IOException {
    itself.result(result.kind == JsonToken.START_ARRAY || result.kind == JsonToken.VALUE_NULL);
    if (result.kind == JsonToken.START_ARRAY) {
      for (Member one : result.members) {
        itself.result(one.value.kind == JsonToken.START_OBJECT);
        if (one.value.kind == JsonToken.START_OBJECT) {
          series(one.value);
        }
      }
    }
  }

  private void series(Node one) throws IOException {
    Map<String, String> labels = new HashMap<>();
    List<Sample> samples = new ArrayList<>();
    String metric = "";
    for (Member member : one.members) {
      if (member.name.equals("value")) {
        itself.result(false);
      } else if (member.name.equals("values")) {
        require(member.value.kind == JsonToken.START_ARRAY);
        for (Member sample : member.value.members) {
          sample(sample.value, samples);
        }
      } else if (member.name.equals("metric")) {
        require(member.value.kind == JsonToken.START_OBJECT);
        for (Member label : member.value.members) {
          require(label.value.kind == JsonToken.VALUE_STRING);
          if (label.name.equals("__name__")) {
            metric = label.value.text;
          } else {
            labels.put(label.name, label.value.text);
          }
        }
      }
    }
    if (!samples.isEmpty()) {
      samples.sort(Comparator.comparingLong(Sample::millis));
      series.add(new Series(metric, labels, samples));
    }
  }

  private void sample(Node pair, List<Sample> samples) throws IOException {
    require(pair.kind == JsonToken.START_ARRAY && pair.members.size() == 2);
    for (Member part : pair.members) {
      JsonToken kind = part.value.kind;
      require(kind == JsonToken.VALUE_STRING || kind.isNumeric());
    }
    Optional<Long> millis = millis(pair.members.get(0).value.text);
    if (millis.isPresent() && range.contains(millis.get())) {
      samples.add(new Sample(millis.get(), (float) value(pair.members.get(1).value.text)));
    }
  }

  private static Optional<Long> millis(String text) {
    if (text.matches("-?[0-9]{1,15}([.][0-9]*)?")) {
      BigDecimal seconds = new BigDecimal(text);
      return Optional.of(seconds.movePointRight(3).setScale(0, RoundingMode.DOWN).longValue());
    }
    double seconds = text.matches("-?[0-9]{1,15}[.0-9]*[eE].*") ? value(text) : Double.NaN;
    return Math.abs(seconds) < 1e15 ? Optional.of(Math.round(seconds * 1000)) : Optional.empty();
  }

  private static double value(String text) {
    return switch (text) {
      case "Inf", "+Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default ->
          text.matches("[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?")
              ? Double.parseDouble(text)
              : Double.NaN;
    };
  }

  private static void require(boolean held) throws MalformedReply {
    if (!held) {
      throw new MalformedReply("not of the form");
    }
  }
}
