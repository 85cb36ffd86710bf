package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.prometheus.ReplyReader.Kind;
import dev.fallow.core.idle.Samples;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the answer to a query for raw samples as it arrives, and keeps of it only what the fleet
 * needs: samples in the range. The keys may come in any order. Series are handed on before it is
 * known whether the answer as a whole is a success, so whoever takes them must be ready to throw
 * them away.
 */
final class MatrixParser {

  private static final int MOST_LABELS = 1000;

  /** Takes each series that has samples in the range. */
  interface Sink {
    /**
     * @param labels without the metric's name; the map is used again for the next series
     */
    void take(String metric, Map<String, String> labels, Samples samples) throws IOException;
  }

  private final SampleRange range;
  private final int mostSamples;
  private final StringPool pool;
  private final Sink sink;
  private final Map<String, String> labels = new HashMap<>();
  private final List<PooledText> names = new ArrayList<>();
  private final List<PooledText> values = new ArrayList<>();
  private String metric = "";
  private final Samples.Builder samples;
  private Samples neighbour = Samples.NONE;
  private final MatrixAnswer.Builder answer = new MatrixAnswer.Builder();

  /**
   * @param base what sample times are counted from; it has to be within 24 days of the range
   */
  MatrixParser(SampleRange range, Instant base, ReadLimits limits, StringPool pool, Sink sink) {
    this.range = range;
    this.samples = new Samples.Builder(base);
    this.mostSamples = limits.samplesPerSeries();
    this.pool = pool;
    this.sink = sink;
  }

  /** Reads one answer to its end. */
  MatrixAnswer parse(InputStream body) throws IOException {
    ReplyReader reply = new ReplyReader(body);
    if (reply.atEnd()) {
      throw new MalformedReply("it is empty");
    }
    if (reply.kind() != Kind.OBJECT) {
      reply.skip();
      throw new MalformedReply("it is not a JSON object");
    }
    for (boolean more = reply.beginObject(); more; more = reply.moreInObject()) {
      envelope(reply, reply.name(pool));
    }
    if (!reply.atEnd()) {
      throw new MalformedReply("something follows its end");
    }
    return answer.build();
  }

  private void envelope(ReplyReader reply, String key) throws IOException {
    switch (key) {
      case "status" -> answer.status(reply.words());
      case "error" -> answer.error(reply.words());
      case "warnings" -> warnings(reply);
      case "isPartial" -> {
        answer.partial(reply.kind() == Kind.TRUE);
        reply.skip();
      }
      case "data" -> data(reply);
      default -> reply.skip();
    }
  }

  private void warnings(ReplyReader reply) throws IOException {
    if (reply.kind() == Kind.ARRAY) {
      for (boolean more = reply.beginArray(); more; more = reply.moreInArray()) {
        answer.warning(reply.words());
      }
    } else if (reply.kind() == Kind.NULL) {
      reply.skip();
    } else {
      answer.warning(reply.words());
    }
  }

  private void data(ReplyReader reply) throws IOException {
    if (reply.kind() != Kind.OBJECT) {
      reply.skip();
      return;
    }
    for (boolean more = reply.beginObject(); more; more = reply.moreInObject()) {
      switch (reply.name(pool)) {
        case "resultType" -> answer.resultType(reply.words());
        case "result" -> result(reply);
        default -> reply.skip();
      }
    }
  }

  private void result(ReplyReader reply) throws IOException {
    if (reply.kind() != Kind.ARRAY) {
      answer.result(reply.kind() == Kind.NULL);
      reply.skip();
      return;
    }
    answer.result(true);
    for (boolean more = reply.beginArray(); more; more = reply.moreInArray()) {
      if (reply.kind() == Kind.OBJECT) {
        series(reply);
      } else {
        answer.result(false);
        reply.skip();
      }
    }
  }

  private void series(ReplyReader reply) throws IOException {
    labels.clear();
    metric = "";
    samples.clear();
    for (boolean more = reply.beginObject(); more; more = reply.moreInObject()) {
      switch (reply.name(pool)) {
        case "metric" -> metric(reply);
        case "values" -> values(reply);
        case "value" -> {
          answer.result(false);
          reply.skip();
        }
        default -> reply.skip();
      }
    }
    if (samples.size() > 0) {
      neighbour = samples.build(neighbour);
      sink.take(metric, labels, neighbour);
    }
  }

  private void metric(ReplyReader reply) throws IOException {
    require(reply, Kind.OBJECT, "the labels of a series are not an object");
    int place = 0;
    for (boolean more = reply.beginObject(); more; more = reply.moreInObject()) {
      if (place == names.size()) {
        names.add(new PooledText());
        values.add(new PooledText());
      }
      String name = reply.name(pool, names.get(place));
      require(reply, Kind.STRING, "a label value is not a string");
      String value = reply.string(pool, values.get(place++));
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

  private void values(ReplyReader reply) throws IOException {
    require(reply, Kind.ARRAY, "the values of a series are not a list");
    for (boolean more = reply.beginArray(); more; more = reply.moreInArray()) {
      reply.sample();
      if (range.contains(reply.millis())) {
        samples.add(reply.millis(), reply.value());
        if (samples.size() > mostSamples) {
          throw new ReplyTooLarge("a series has more than " + mostSamples + " samples");
        }
      }
    }
  }

  private static void require(ReplyReader reply, Kind kind, String otherwise) throws IOException {
    if (reply.kind() != kind) {
      throw new MalformedReply(otherwise);
    }
  }
}
