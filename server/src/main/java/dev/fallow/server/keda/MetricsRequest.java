package dev.fallow.server.keda;

import java.util.Map;

/**
 * A question for numbers: {@code externalscaler.GetMetricsRequest}.
 *
 * @param metric as the answer about targets called it
 */
record MetricsRequest(ScaledObject of, String metric) {

  static MetricsRequest read(byte[] bytes) {
    ProtoReader message = new ProtoReader(bytes);
    ScaledObject of = new ScaledObject("", "", Map.of());
    String metric = "";
    for (int field = message.next(); field != 0; field = message.next()) {
      switch (field) {
        case 1 -> of = ScaledObject.read(message.message());
        case 2 -> metric = message.text();
        default -> message.skip();
      }
    }
    return new MetricsRequest(of, metric);
  }
}
