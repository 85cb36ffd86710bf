package dev.fallow.rig.fault;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** The bytes after a head, freed of their framing: the stream ends where the body does. */
final class HttpBody extends InputStream {
  private enum Framing {
    LENGTH,
    CHUNKED,
    TO_THE_END
  }

  private final InputStream in;
  private final Framing framing;
  private long left;
  private boolean ended;
  private boolean firstChunk = true;

  private HttpBody(InputStream in, Framing framing, long left) {
    this.in = in;
    this.framing = framing;
    this.left = left;
    this.ended = framing == Framing.LENGTH && left == 0;
  }

  static HttpBody none() {
    return new HttpBody(InputStream.nullInputStream(), Framing.LENGTH, 0);
  }

  static HttpBody ofRequest(HttpHead head, InputStream in) throws IOException {
    return of(head, in, false);
  }

  static HttpBody ofAnswer(HttpHead head, String method, InputStream in) throws IOException {
    int status = head.status();
    boolean empty = method.equals("HEAD") || status < 200 || status == 204 || status == 304;
    return empty ? none() : of(head, in, true);
  }

  private static HttpBody of(HttpHead head, InputStream in, boolean toTheEnd) throws IOException {
    if (head.says("Transfer-Encoding", "chunked")) {
      return new HttpBody(in, Framing.CHUNKED, 0);
    }
    try {
      long length = Long.parseLong(head.header("Content-Length").orElse("-1"));
      if (length >= 0) {
        return new HttpBody(in, Framing.LENGTH, length);
      }
    } catch (NumberFormatException e) {
      throw new IOException("not a length", e);
    }
    return toTheEnd ? new HttpBody(in, Framing.TO_THE_END, 0) : none();
  }

  /** Whether the length is known before the end is reached. */
  boolean hasLength() {
    return framing == Framing.LENGTH;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    if (framing == Framing.CHUNKED && !ended && left == 0) {
      nextChunk();
    }
    if (ended) {
      return -1;
    }
    int wanted = framing == Framing.TO_THE_END ? length : (int) Math.min(length, left);
    int count = in.read(buffer, offset, wanted);
    if (count < 0) {
      if (framing != Framing.TO_THE_END) {
        throw new EOFException("the connection ended within a body");
      }
      ended = true;
      return -1;
    }
    left -= count;
    ended = framing == Framing.LENGTH && left == 0;
    return count;
  }

  private void nextChunk() throws IOException {
    if (!firstChunk) {
      HttpHead.line(in);
    }
    firstChunk = false;
    String size = HttpHead.line(in).split(";", 2)[0].strip();
    try {
      left = Long.parseLong(size, 16);
    } catch (NumberFormatException e) {
      throw new IOException("not the size of a chunk: " + size, e);
    }
    if (left == 0) {
      ended = true;
      while (!HttpHead.line(in).isEmpty()) {
        // Trailers are of no interest.
      }
    }
  }

  static void writeChunk(OutputStream out, byte[] bytes, int count) throws IOException {
    out.write((Integer.toHexString(count) + "\r\n").getBytes(StandardCharsets.US_ASCII));
    out.write(bytes, 0, count);
    out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
  }

  static void writeLastChunk(OutputStream out) throws IOException {
    out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }
}
