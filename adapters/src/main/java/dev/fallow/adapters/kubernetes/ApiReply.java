package dev.fallow.adapters.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * An answer of the API server whose body is still on its way.
 *
 * @param encoding of the content, empty for none
 */
record ApiReply(int status, String contentType, String encoding, InputStream body)
    implements AutoCloseable {

  private static final int TEXT_LIMIT = 256 * 1024;

  boolean ok() {
    return status / 100 == 2;
  }

  /** The beginning of the body as text, for messages. */
  String text() {
    try {
      return new String(body.readNBytes(TEXT_LIMIT), StandardCharsets.UTF_8);
    } catch (IOException cutOff) {
      return "";
    }
  }

  @Override
  public void close() {
    try {
      body.close();
    } catch (IOException alreadyGone) {
      // Nobody waits for the rest.
    }
  }
}
