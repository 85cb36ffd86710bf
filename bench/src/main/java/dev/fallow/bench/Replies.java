package dev.fallow.bench;

import dev.fallow.core.idle.Signal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A reply of Prometheus for the benchmark of the parser, which lives beside the parser. */
public final class Replies {

  public static final long AT_MILLIS = BenchFleet.AT.toEpochMilli();

  private Replies() {}

  public static byte[] ofMainSignal(int gpus) throws IOException {
    StringBuilder reply = new StringBuilder();
    new SampleText(new BenchFleet(gpus)).reply(Signal.GR_ENGINE_ACTIVE, reply);
    return reply.toString().getBytes(StandardCharsets.UTF_8);
  }
}
