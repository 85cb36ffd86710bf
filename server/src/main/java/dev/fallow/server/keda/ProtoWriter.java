package dev.fallow.server.keda;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a message of protocol buffers. As proto3 has it, a field that is zero is not written. */
final class ProtoWriter {

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  ProtoWriter truth(int field, boolean value) {
    return whole(field, value ? 1 : 0);
  }

  ProtoWriter whole(int field, long value) {
    if (value != 0) {
      tag(field, VARINT);
      varint(value);
    }
    return this;
  }

  ProtoWriter number(int field, double value) {
    long bits = Double.doubleToRawLongBits(value);
    if (bits != 0) {
      tag(field, FIXED64);
      for (int shift = 0; shift < 64; shift += 8) {
        out.write((int) (bits >>> shift));
      }
    }
    return this;
  }

  ProtoWriter text(int field, String value) {
    return value.isEmpty() ? this : bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  /** A message inside; written even if it is empty, since it is there. */
  ProtoWriter message(int field, ProtoWriter inner) {
    return bytes(field, inner.bytes());
  }

  private ProtoWriter bytes(int field, byte[] value) {
    tag(field, BYTES);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  private void tag(int field, int wire) {
    varint(((long) field << 3) | wire);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) ((rest & 0x7F) | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  byte[] bytes() {
    return out.toByteArray();
  }
}
