package dev.fallow.server.keda;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.util.Map;

/** KEDA's externalscaler.proto, field for field, read and written by Google's library. */
final class ExternalScalerProto {

  private static final FileDescriptor FILE = file();

  private ExternalScalerProto() {}

  private static FileDescriptor file() {
    DescriptorProto.Builder ref =
        message("ScaledObjectRef", text("name", 1), text("namespace", 2))
            .addField(many("scalerMetadata", 3, ".externalscaler.ScaledObjectRef.MetadataEntry"))
            .addNestedType(
                message("MetadataEntry", text("key", 1), text("value", 2))
                    .setOptions(MessageOptions.newBuilder().setMapEntry(true)));
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder()
            .setName("externalscaler.proto")
            .setPackage("externalscaler")
            .setSyntax("proto3")
            .addMessageType(ref)
            .addMessageType(message("IsActiveResponse", one("result", 1, Type.TYPE_BOOL)))
            .addMessageType(
                message(
                    "GetMetricSpecResponse", many("metricSpecs", 1, ".externalscaler.MetricSpec")))
            .addMessageType(
                message(
                    "MetricSpec",
                    text("metricName", 1),
                    one("targetSize", 2, Type.TYPE_INT64),
                    one("targetSizeFloat", 3, Type.TYPE_DOUBLE)))
            .addMessageType(
                message(
                    "GetMetricsRequest",
                    one("scaledObjectRef", 1, Type.TYPE_MESSAGE)
                        .setTypeName(".externalscaler.ScaledObjectRef"),
                    text("metricName", 2)))
            .addMessageType(
                message(
                    "GetMetricsResponse", many("metricValues", 1, ".externalscaler.MetricValue")))
            .addMessageType(
                message(
                    "MetricValue",
                    text("metricName", 1),
                    one("metricValue", 2, Type.TYPE_INT64),
                    one("metricValueFloat", 3, Type.TYPE_DOUBLE)));
    try {
      return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]);
    } catch (DescriptorValidationException wrong) {
      throw new AssertionError(wrong);
    }
  }

  private static DescriptorProto.Builder message(
      String name, FieldDescriptorProto.Builder... fields) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName(name);
    for (FieldDescriptorProto.Builder field : fields) {
      message.addField(field);
    }
    return message;
  }

  private static FieldDescriptorProto.Builder text(String name, int number) {
    return one(name, number, Type.TYPE_STRING);
  }

  private static FieldDescriptorProto.Builder one(String name, int number, Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(Label.LABEL_OPTIONAL);
  }

  private static FieldDescriptorProto.Builder many(String name, int number, String type) {
    return one(name, number, Type.TYPE_MESSAGE).setTypeName(type).setLabel(Label.LABEL_REPEATED);
  }

  static Descriptor type(String name) {
    return FILE.findMessageTypeByName(name);
  }

  static DynamicMessage ref(String namespace, Map<String, String> metadata) {
    Descriptor type = type("ScaledObjectRef");
    Descriptor entry = type.findNestedTypeByName("MetadataEntry");
    DynamicMessage.Builder ref =
        DynamicMessage.newBuilder(type)
            .setField(type.findFieldByName("name"), "web-gpus")
            .setField(type.findFieldByName("namespace"), namespace);
    metadata.forEach((key, value) ->
        ref.addRepeatedField(
            type.findFieldByName("scalerMetadata"),
            DynamicMessage.newBuilder(entry)
                .setField(entry.findFieldByName("key"), key)
                .setField(entry.findFieldByName("value"), value)
                .build()));
    return ref.build();
  }

  static DynamicMessage metricsRequest(DynamicMessage ref, String metric) {
    Descriptor type = type("GetMetricsRequest");
    return DynamicMessage.newBuilder(type)
        .setField(type.findFieldByName("scaledObjectRef"), ref)
        .setField(type.findFieldByName("metricName"), metric)
        .build();
  }

  static Object field(DynamicMessage message, String name) {
    return message.getField(message.getDescriptorForType().findFieldByName(name));
  }

  /** The first of a field that there may be many of. */
  static DynamicMessage first(DynamicMessage message, String name) {
    return (DynamicMessage)
        message.getRepeatedField(message.getDescriptorForType().findFieldByName(name), 0);
  }
}
