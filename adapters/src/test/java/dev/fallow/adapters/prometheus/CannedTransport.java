package dev.fallow.adapters.prometheus;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A way to Prometheus that is not HTTP: it writes down what it is asked and answers nothing. */
record CannedTransport(List<String> asked) implements PrometheusTransport {

  private static final String NOTHING =
      "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":[]}}";

  @Override
  public String address() {
    return "somewhere";
  }

  @Override
  public Reply post(String path, String form) {
    asked.add(path + "?" + form);
    return new Reply(
        200,
        "application/json",
        new ByteArrayInputStream(NOTHING.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {}
}
