package dev.fallow.adapters.prometheus;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A body that fails once more bytes came out of it than are allowed. */
final class BoundedBody extends FilterInputStream {

  private final long limit;
  private long taken;

  BoundedBody(InputStream body, long limit) {
    super(body);
    this.limit = limit;
  }

  @Override
  public int read() throws IOException {
    int one = super.read();
    count(one < 0 ? 0 : 1);
    return one;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = super.read(buffer, offset, length);
    count(Math.max(read, 0));
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = super.skip(bytes);
    count(skipped);
    return skipped;
  }

  private void count(long bytes) throws ReplyTooLarge {
    taken += bytes;
    if (taken > limit) {
      throw new ReplyTooLarge("the answer is larger than " + limit + " bytes");
    }
  }
}
