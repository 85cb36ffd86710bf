package dev.fallow.adapters.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.fallow.adapters.PublishedSeries;
import dev.fallow.adapters.prometheus.StubPrometheus.Asked;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The one query that the source asks, carried out on given series as Prometheus 2 does it. */
final class RangeSelector {

  private static final Pattern FORM =
      Pattern.compile("\\{__name__=~\"([^\"]*)\"}\\[([0-9]+)(ms|s)]");

  private RangeSelector() {}

  /** The answer, with the left end of the range in it. */
  static String answer(List<PublishedSeries> all, Asked asked) {
    Matcher query = FORM.matcher(asked.query());
    if (!query.matches()) {
      throw new IllegalArgumentException(asked.query());
    }
    Pattern name = Pattern.compile(query.group(1));
    long length = Long.parseLong(query.group(2)) * (query.group(3).equals("s") ? 1000 : 1);
    long until = new BigDecimal(asked.form().get("time")).movePointRight(3).longValueExact();
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("status", "success");
      json.writeObjectFieldStart("data");
      json.writeStringField("resultType", "matrix");
      json.writeArrayFieldStart("result");
      for (PublishedSeries series : all) {
        if (name.matcher(series.metric()).matches()) {
          write(json, series, until - length, until);
        }
      }
      json.writeEndArray();
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(JsonGenerator json, PublishedSeries series, long from, long until)
      throws IOException {
    List<PublishedSeries.Sample> chosen =
        series.samples().stream()
            .filter(sample -> sample.millis() >= from && sample.millis() <= until)
            .toList();
    if (chosen.isEmpty()) {
      return;
    }
    json.writeStartObject();
    json.writeObjectFieldStart("metric");
    json.writeStringField("__name__", series.metric());
    for (Map.Entry<String, String> label : series.labels().entrySet()) {
      json.writeStringField(label.getKey(), label.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("values");
    for (PublishedSeries.Sample sample : chosen) {
      json.writeStartArray();
      json.writeNumber(BigDecimal.valueOf(sample.millis(), 3).stripTrailingZeros());
      json.writeString(written(sample.value()));
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String written(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < 1e6
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
