package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.TimedBody;
import dev.fallow.core.Unavailable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * How a query reaches Prometheus: straight over HTTP, or through something that forwards it, such
 * as the Kubernetes API server.
 */
public interface PrometheusTransport extends AutoCloseable {

  /** Where it leads, for people: an address without credentials. */
  String address();

  /**
   * Posts a form. An answer of any status is a reply; no answer is {@link Unavailable} with a
   * sentence that names the address, what happened and what to do. The time allowed covers reading
   * the body as well: past it the body fails with {@link java.net.SocketTimeoutException}, which
   * {@link TimedBody} does. Redirects are not followed.
   *
   * @param path below the base, such as {@code /api/v1/query}
   * @param form encoded as {@code application/x-www-form-urlencoded}
   */
  Reply post(String path, String form);

  /**
   * Gets what is told there, by the rules of {@link #post}.
   *
   * @param path below the base, with its query
   */
  default Reply get(String path) {
    throw new Unavailable(
        "prometheus", "Prometheus at " + address() + " can only be asked by forms", false);
  }

  @Override
  void close();

  /**
   * A reply whose body is still to be read.
   *
   * @param contentType empty if it has none
   * @param body without content encoding; closed by the reader
   * @param location where a redirect points to
   */
  record Reply(int status, String contentType, InputStream body, Optional<String> location)
      implements AutoCloseable {

    public Reply(int status, String contentType, InputStream body) {
      this(status, contentType, body, Optional.empty());
    }

    @Override
    public void close() {
      try {
        body.close();
      } catch (IOException alreadyBroken) {
        // What was read is read; a connection that cannot be closed is gone.
      }
    }
  }
}
