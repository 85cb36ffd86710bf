package dev.fallow.adapters.kubernetes;

import java.io.IOException;
import java.io.InputStream;

/** An answer that came through the API server; its body is still on its way. */
public record ProxyReply(int status, String contentType, InputStream body)
    implements AutoCloseable {

  @Override
  public void close() throws IOException {
    body.close();
  }
}
