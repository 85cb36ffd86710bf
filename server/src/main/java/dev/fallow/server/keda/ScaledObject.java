package dev.fallow.server.keda;

import java.util.HashMap;
import java.util.Map;

/**
 * What KEDA says of the ScaledObject that it asks for: {@code externalscaler.ScaledObjectRef}.
 *
 * @param namespace its own, which the API server has made sure of
 * @param metadata of the trigger, as its author wrote it
 */
record ScaledObject(String name, String namespace, Map<String, String> metadata) {

  private static final int MOST_KEYS = 100;

  ScaledObject {
    metadata = Map.copyOf(metadata);
  }

  static ScaledObject read(byte[] message) {
    return read(new ProtoReader(message));
  }

  static ScaledObject read(ProtoReader message) {
    String name = "";
    String namespace = "";
    Map<String, String> metadata = new HashMap<>();
    for (int field = message.next(); field != 0; field = message.next()) {
      switch (field) {
        case 1 -> name = message.text();
        case 2 -> namespace = message.text();
        case 3 -> entry(message.message(), metadata);
        default -> message.skip();
      }
      if (metadata.size() > MOST_KEYS) {
        throw new ProtoReader.Malformed("the metadata has more than " + MOST_KEYS + " keys");
      }
    }
    return new ScaledObject(name, namespace, metadata);
  }

  private static void entry(ProtoReader entry, Map<String, String> into) {
    String key = "";
    String value = "";
    for (int field = entry.next(); field != 0; field = entry.next()) {
      switch (field) {
        case 1 -> key = entry.text();
        case 2 -> value = entry.text();
        default -> entry.skip();
      }
    }
    into.put(key, value);
  }
}
