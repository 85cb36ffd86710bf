package dev.fallow.server.metricsapi;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.fallow.core.autoscale.MetricBook.Listed;
import dev.fallow.core.autoscale.MetricBook.OfObject;
import dev.fallow.core.autoscale.MetricBook.OfSeries;
import dev.fallow.core.autoscale.MetricBook.Resource;
import dev.fallow.core.autoscale.Selector;
import dev.fallow.core.fleet.ObjectId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Numbers and their names as the documents of the APIs, each version in its own form. Only numbers
 * that a {@link Quantity} can hold may be given.
 */
final class ValueLists {

  private static final JsonFactory JSON = new JsonFactory();

  private ValueLists() {}

  @FunctionalInterface
  private interface Items {
    void write(JsonGenerator json) throws IOException;
  }

  static byte[] ofObjects(
      String version, String metric, Selector ofSamples, List<OfObject> values) {
    return list(
        "MetricValueList",
        MetricsGroup.CUSTOM.group() + "/" + version,
        json -> {
          for (OfObject value : values) {
            String quantity = Quantity.of(value.value()).orElseThrow();
            json.writeStartObject();
            describe(json, value.object(), value.apiVersion());
            if (version.equals("v1beta1")) {
              json.writeStringField("metricName", metric);
              taken(json, value.at(), "window", value.window());
              json.writeStringField("value", quantity);
              select(json, ofSamples);
            } else {
              json.writeObjectFieldStart("metric");
              json.writeStringField("name", metric);
              select(json, ofSamples);
              json.writeEndObject();
              taken(json, value.at(), "windowSeconds", value.window());
              json.writeStringField("value", quantity);
            }
            json.writeEndObject();
          }
        });
  }

  static byte[] ofSeries(String version, String metric, List<OfSeries> values) {
    return list(
        "ExternalMetricValueList",
        MetricsGroup.EXTERNAL.group() + "/" + version,
        json -> {
          for (OfSeries value : values) {
            json.writeStartObject();
            json.writeStringField("metricName", metric);
            json.writeObjectFieldStart("metricLabels");
            for (Map.Entry<String, String> label : new TreeMap<>(value.labels()).entrySet()) {
              json.writeStringField(label.getKey(), label.getValue());
            }
            json.writeEndObject();
            taken(json, value.at(), "window", value.window());
            json.writeStringField("value", Quantity.of(value.value()).orElseThrow());
            json.writeEndObject();
          }
        });
  }

  static byte[] customNames(String version, Collection<Listed> names) {
    return resources(
        MetricsGroup.CUSTOM.group() + "/" + version,
        json -> {
          for (Listed one : names) {
            resource(
                json,
                called(one.resource()) + "/" + one.metric(),
                one.namespaced(),
                "MetricValueList");
          }
        });
  }

  static byte[] externalNames(String version, Collection<String> names) {
    return resources(
        MetricsGroup.EXTERNAL.group() + "/" + version,
        json -> {
          for (String name : names) {
            resource(json, name, true, "ExternalMetricValueList");
          }
        });
  }

  private static String called(Resource resource) {
    return resource.group().isEmpty()
        ? resource.plural()
        : resource.plural() + "." + resource.group();
  }

  private static void resource(JsonGenerator json, String name, boolean namespaced, String kind)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("name", name);
    json.writeStringField("singularName", "");
    json.writeBooleanField("namespaced", namespaced);
    json.writeStringField("kind", kind);
    json.writeArrayFieldStart("verbs");
    json.writeString("get");
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void describe(JsonGenerator json, ObjectId object, String apiVersion)
      throws IOException {
    json.writeObjectFieldStart("describedObject");
    json.writeStringField("kind", object.kind());
    if (!object.namespace().isEmpty()) {
      json.writeStringField("namespace", object.namespace());
    }
    json.writeStringField("name", object.name());
    json.writeStringField("apiVersion", apiVersion);
    json.writeEndObject();
  }

  private static void taken(JsonGenerator json, Instant at, String field, Duration window)
      throws IOException {
    json.writeStringField("timestamp", at.truncatedTo(ChronoUnit.SECONDS).toString());
    if (window.isPositive()) {
      json.writeNumberField(field, window.plusMillis(999).toSeconds());
    }
  }

  private static void select(JsonGenerator json, Selector selector) throws IOException {
    if (selector.requirements().isEmpty()) {
      json.writeNullField("selector");
      return;
    }
    json.writeObjectFieldStart("selector");
    json.writeArrayFieldStart("matchExpressions");
    for (Selector.Requirement one : selector.requirements()) {
      json.writeStartObject();
      json.writeStringField("key", one.key());
      json.writeStringField("operator", operator(one.operator()));
      if (!one.values().isEmpty()) {
        json.writeArrayFieldStart("values");
        for (String value : one.values().stream().sorted().toList()) {
          json.writeString(value);
        }
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static String operator(Selector.Operator operator) {
    return switch (operator) {
      case IN -> "In";
      case NOT_IN -> "NotIn";
      case EXISTS -> "Exists";
      case DOES_NOT_EXIST -> "DoesNotExist";
    };
  }

  private static byte[] list(String kind, String apiVersion, Items items) {
    return document(json -> {
      json.writeStringField("kind", kind);
      json.writeStringField("apiVersion", apiVersion);
      json.writeObjectFieldStart("metadata");
      json.writeEndObject();
      json.writeArrayFieldStart("items");
      items.write(json);
      json.writeEndArray();
    });
  }

  private static byte[] resources(String groupVersion, Items items) {
    return document(json -> {
      json.writeStringField("kind", "APIResourceList");
      json.writeStringField("apiVersion", "v1");
      json.writeStringField("groupVersion", groupVersion);
      json.writeArrayFieldStart("resources");
      items.write(json);
      json.writeEndArray();
    });
  }

  private static byte[] document(Items fields) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }
}
