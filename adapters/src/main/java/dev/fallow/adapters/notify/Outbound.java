package dev.fallow.adapters.notify;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.net.http.WebSocket;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests out of the cluster: through the environment's proxy, bounded in time and size, and
 * nowhere it is sent on to. What goes wrong is told by kind only; the words of exceptions may hold
 * addresses that are secret.
 */
public final class Outbound implements AutoCloseable {

  private static final long MOST_BYTES = 256 * 1024;

  private final Network network;
  private final HttpClient http;

  /**
   * @throws dev.fallow.core.Unavailable if the certificates to trust cannot be read
   * @throws IllegalArgumentException if the environment's proxy cannot be read
   */
  public Outbound(Network network) {
    this.network = network;
    this.http = network.client();
  }

  Answer post(URI target, Map<String, String> headers, byte[] body) {
    CompletableFuture<HttpResponse<String>> coming;
    try {
      coming =
          http.sendAsync(
              request(target, headers, body),
              BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), MOST_BYTES));
    } catch (IllegalArgumentException repeatsTheAddress) {
      return new Answer.Broken(sentence(null));
    }
    try {
      HttpResponse<String> response =
          coming.get(network.wholeTimeout().toMillis(), TimeUnit.MILLISECONDS);
      return new Answer.Whole(
          response.statusCode(), response.headers().firstValue("Retry-After"), response.body());
    } catch (TimeoutException late) {
      coming.cancel(true);
      return new Answer.Broken(tooSlow());
    } catch (InterruptedException ending) {
      coming.cancel(true);
      Thread.currentThread().interrupt();
      return new Answer.Broken("was not waited for: the program is ending");
    } catch (ExecutionException failure) {
      return new Answer.Broken(sentence(failure.getCause()));
    }
  }

  private HttpRequest request(URI target, Map<String, String> headers, byte[] body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target)
            .timeout(network.wholeTimeout())
            .header("User-Agent", "fallow")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    headers.forEach(request::header);
    return request.build();
  }

  /** Opens a WebSocket the same way. */
  CompletableFuture<WebSocket> connect(URI target, WebSocket.Listener listener) {
    return http.newWebSocketBuilder()
        .connectTimeout(network.connectTimeout())
        .buildAsync(target, listener);
  }

  Duration wholeTimeout() {
    return network.wholeTimeout();
  }

  String sentence(@Nullable Throwable failure) {
    if (caused(failure, HttpConnectTimeoutException.class)) {
      return "cannot be reached within "
          + network.connectTimeout().toMillis()
          + " ms; check the network policies and the proxy on the way";
    }
    if (caused(failure, HttpTimeoutException.class)) {
      return tooSlow();
    }
    if (caused(failure, CertificateException.class) || caused(failure, SSLException.class)) {
      return "shows a certificate that is not trusted here; name the file of its authority in the"
          + " settings, and check that the port speaks https";
    }
    if (caused(failure, UnresolvedAddressException.class)
        || caused(failure, UnknownHostException.class)) {
      return "has a host name that is unknown here; check the address, and HTTPS_PROXY if names"
          + " are only known to a proxy";
    }
    if (caused(failure, ConnectException.class)) {
      return "cannot be reached; check the address, the network policies and the proxy";
    }
    if (caused(failure, IOException.class)) {
      return "broke off, or answered with more than is taken";
    }
    return "cannot be asked in this way; check its address";
  }

  private String tooSlow() {
    return "did not answer within " + network.wholeTimeout().toMillis() + " ms";
  }

  private static boolean caused(@Nullable Throwable failure, Class<? extends Throwable> kind) {
    int depth = 0;
    for (Throwable one = failure; one != null && depth < 20; one = one.getCause(), depth++) {
      if (kind.isInstance(one)) {
        return true;
      }
    }
    return false;
  }

  /** Ends the client at once: an open one would delay the end of the program. */
  @Override
  public void close() {
    http.shutdownNow();
    try {
      http.awaitTermination(Duration.ofSeconds(1));
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
  }
}
