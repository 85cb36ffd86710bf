package dev.fallow.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;

/**
 * Reads bodies, each up to its limit and all of them together up to theirs: many clients that send
 * slowly would otherwise fill the memory, each with a body that is small enough.
 */
final class BodyReader {

  private static final int CHUNK = 16 << 10;

  private final Semaphore chunks = new Semaphore(HttpLimits.ALL_BODIES / CHUNK);

  /** A body, and its share of the memory until it is closed. */
  final class Lease implements AutoCloseable {

    private int taken;

    /**
     * @param announced the length that the client gave, or -1
     */
    byte[] read(InputStream in, long announced) throws IOException {
      if (announced > HttpLimits.BODY) {
        throw new Rejected(Problem.bodyTooLarge());
      }
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      byte[] chunk = new byte[1024];
      for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
        body.write(chunk, 0, count);
        if (body.size() > HttpLimits.BODY) {
          throw new Rejected(Problem.bodyTooLarge());
        }
        while (taken * (long) CHUNK < body.size()) {
          if (!chunks.tryAcquire()) {
            throw new Rejected(Problem.tooBusy());
          }
          taken++;
        }
      }
      return body.toByteArray();
    }

    @Override
    public void close() {
      chunks.release(taken);
      taken = 0;
    }
  }

  Lease lease() {
    return new Lease();
  }
}
