package dev.fallow.server.keda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads a message of protocol buffers, field by field. The few messages of a scaler need no
 * generated code; what they do not know is passed over, as the format demands.
 */
final class ProtoReader {

  /** What no writer of the format writes. */
  static final class Malformed extends RuntimeException {
    Malformed(String message) {
      super(message, null, false, false);
    }
  }

  private static final int MOST_BYTES = 64 * 1024;

  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final ByteBuffer rest;
  private int wire;

  /**
   * @throws Malformed if it is larger than anybody needs
   */
  ProtoReader(byte[] message) {
    this(ByteBuffer.wrap(message));
    if (message.length > MOST_BYTES) {
      throw new Malformed("it is larger than 64 KiB; shorten the trigger's metadata");
    }
  }

  private ProtoReader(ByteBuffer rest) {
    this.rest = rest.order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * The next field's number; 0 at the end. Its content is to be read, or skipped, before the next.
   */
  int next() {
    if (!rest.hasRemaining()) {
      return 0;
    }
    long tag = varint();
    wire = (int) (tag & 7);
    long number = tag >>> 3;
    if (number < 1 || number > 536_870_911) {
      throw new Malformed("a field has the number " + number);
    }
    return (int) number;
  }

  String text() {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes()).toString();
    } catch (CharacterCodingException broken) {
      throw new Malformed("a text is not UTF-8");
    }
  }

  ProtoReader message() {
    return new ProtoReader(bytes());
  }

  void skip() {
    switch (wire) {
      case VARINT -> varint();
      case FIXED64 -> taken(8);
      case BYTES -> bytes();
      case FIXED32 -> taken(4);
      default -> throw new Malformed("a field has the unknown type " + wire);
    }
  }

  private ByteBuffer bytes() {
    if (wire != BYTES) {
      throw new Malformed("a field has the type " + wire + " where text or a message belongs");
    }
    return taken(varint());
  }

  private ByteBuffer taken(long length) {
    if (length < 0 || length > rest.remaining()) {
      throw new Malformed("it ends in the middle of a field");
    }
    ByteBuffer part = rest.slice(rest.position(), (int) length);
    rest.position(rest.position() + (int) length);
    return part;
  }

  private long varint() {
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (!rest.hasRemaining()) {
        throw new Malformed("it ends in the middle of a number");
      }
      byte part = rest.get();
      value |= (part & 0x7FL) << shift;
      if (part >= 0) {
        return value;
      }
    }
    throw new Malformed("a number has more than ten bytes");
  }
}
