package dev.fallow.server.keda;

/** What KEDA is told. */
sealed interface ScaleReply {

  byte[] message();

  /** {@code externalscaler.IsActiveResponse}. */
  record Active(boolean active) implements ScaleReply {
    @Override
    public byte[] message() {
      return new ProtoWriter().truth(1, active).bytes();
    }
  }

  /** {@code externalscaler.GetMetricSpecResponse} with one target. */
  record Target(String metric, double value) implements ScaleReply {
    @Override
    public byte[] message() {
      return one(metric, value);
    }
  }

  /** {@code externalscaler.GetMetricsResponse} with one number. */
  record Value(String metric, double value) implements ScaleReply {
    @Override
    public byte[] message() {
      return one(metric, value);
    }
  }

  /**
   * Targets and numbers have the same form: a name, the number as older versions of KEDA read it,
   * rounded, and the number. Where the last is not above 0, every version reads the one before.
   */
  private static byte[] one(String metric, double value) {
    ProtoWriter entry =
        new ProtoWriter().text(1, metric).whole(2, Math.round(value)).number(3, value);
    return new ProtoWriter().message(1, entry).bytes();
  }
}
