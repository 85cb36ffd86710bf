package dev.fallow.server.certificate;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** The few forms of ASN.1's distinguished encoding that a certificate is made of. */
final class Der {

  private static final DateTimeFormatter UTC_TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter GENERALIZED_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  /** From this year on, two digits do not tell which one. */
  private static final int LONG_YEARS = 2050;

  private Der() {}

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, parts);
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, parts);
  }

  /** In a context that knows what the number stands for, around something whole. */
  static byte[] explicit(int number, byte[]... parts) {
    return tagged(0xa0 | number, parts);
  }

  /** The same in the place of a simple value's own tag. */
  static byte[] implicit(int number, byte[] content) {
    return tagged(0x80 | number, content);
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] truth() {
    return tagged(0x01, new byte[] {(byte) 0xff});
  }

  static byte[] octets(byte[] content) {
    return tagged(0x04, content);
  }

  /**
   * @param unused how many bits of the last byte say nothing
   */
  static byte[] bits(int unused, byte[] content) {
    return tagged(0x03, new byte[] {(byte) unused}, content);
  }

  static byte[] text(String text) {
    return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Such as {@code 2.5.29.17}. */
  static byte[] name(String dotted) {
    String[] arcs = dotted.split("\\.", -1);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.write(Integer.parseInt(arcs[0]) * 40 + Integer.parseInt(arcs[1]));
    for (int i = 2; i < arcs.length; i++) {
      int arc = Integer.parseInt(arcs[i]);
      for (int shift = 28; shift > 0; shift -= 7) {
        if (arc >> shift != 0) {
          content.write(0x80 | ((arc >> shift) & 0x7f));
        }
      }
      content.write(arc & 0x7f);
    }
    return tagged(0x06, content.toByteArray());
  }

  static byte[] time(Instant moment) {
    boolean longYear = moment.atZone(ZoneOffset.UTC).getYear() >= LONG_YEARS;
    String digits = (longYear ? GENERALIZED_TIME : UTC_TIME).format(moment);
    return tagged(longYear ? 0x18 : 0x17, digits.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] tagged(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream whole = new ByteArrayOutputStream(content.size() + 5);
    whole.write(tag);
    int length = content.size();
    if (length < 0x80) {
      whole.write(length);
    } else {
      int bytes = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
      whole.write(0x80 | bytes);
      for (int shift = 8 * (bytes - 1); shift >= 0; shift -= 8) {
        whole.write(length >> shift);
      }
    }
    whole.writeBytes(content.toByteArray());
    return whole.toByteArray();
  }
}
