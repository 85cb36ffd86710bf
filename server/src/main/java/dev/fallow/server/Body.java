package dev.fallow.server;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.List;

/**
 * The bytes of an answer, in pieces that other answers may be made of too: a row of a list is
 * written once, and sent to everybody who asks for it. So nobody may change what is in here.
 */
public final class Body {

  private final List<byte[]> pieces;
  private final long length;

  private Body(List<byte[]> pieces) {
    this.pieces = List.copyOf(pieces);
    this.length = this.pieces.stream().mapToLong(piece -> piece.length).sum();
  }

  public static Body of(byte[] bytes) {
    return new Body(List.of(bytes));
  }

  public static Body of(List<byte[]> pieces) {
    return new Body(pieces);
  }

  public long length() {
    return length;
  }

  public void writeTo(OutputStream out) throws IOException {
    for (byte[] piece : pieces) {
      out.write(piece);
    }
  }

  public void addTo(MessageDigest digest) {
    pieces.forEach(digest::update);
  }

  /** Everything in one piece of its own. */
  byte[] joined() {
    byte[] all = new byte[Math.toIntExact(length)];
    int end = 0;
    for (byte[] piece : pieces) {
      System.arraycopy(piece, 0, all, end, piece.length);
      end += piece.length;
    }
    return all;
  }
}
