package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.TimedBody;
import dev.fallow.core.Unavailable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Reaches Prometheus straight over HTTP. Only ever reads, and follows nobody elsewhere. */
public final class HttpTransport implements PrometheusTransport {

  private static final int BUFFER = 64 * 1024;

  private final PrometheusAccess access;
  private final HttpClient http;

  /**
   * @throws Unavailable if the certificates to trust cannot be read
   */
  public HttpTransport(PrometheusAccess access) {
    this.access = access;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(access.connectTimeout());
    if ("https".equalsIgnoreCase(access.base().getScheme())) {
      builder.sslContext(PrometheusTls.contextFor(access));
    }
    this.http = builder.build();
  }

  @Override
  public String address() {
    return access.address();
  }

  @Override
  public Reply post(String path, String form) {
    return send(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(form))
            .build());
  }

  @Override
  public Reply get(String path) {
    return send(request(path).GET().build());
  }

  private Reply send(HttpRequest request) {
    long started = System.nanoTime();
    try {
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      Duration left = access.requestTimeout().minusNanos(System.nanoTime() - started);
      InputStream raw =
          new TimedBody(response.body(), left.isPositive() ? left : Duration.ofMillis(1));
      return new Reply(
          response.statusCode(),
          response.headers().firstValue("Content-Type").orElse(""),
          decoded(response, raw),
          response.headers().firstValue("Location"));
    } catch (IOException e) {
      throw unavailable(ConnectionProblem.sentence(e, access), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable("was not waited for: the program is ending", e);
    }
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target(path))
            .timeout(access.requestTimeout())
            .header("Accept", "application/json")
            .header("User-Agent", "fallow");
    if (!access.loopback()) {
      request.header("Accept-Encoding", "gzip");
    }
    authorization().ifPresent(secret -> request.header("Authorization", secret));
    return request;
  }

  private URI target(String path) {
    URI base = access.base();
    String prefix = base.getRawPath() == null ? "" : base.getRawPath();
    while (prefix.endsWith("/")) {
      prefix = prefix.substring(0, prefix.length() - 1);
    }
    String port = base.getPort() < 0 ? "" : ":" + base.getPort();
    return URI.create(base.getScheme() + "://" + base.getHost() + port + prefix + path);
  }

  private Optional<String> authorization() {
    Optional<String> secret =
        access.base().getUserInfo() == null
            ? access.token().current().map(token -> "Bearer " + token)
            : Optional.of("Basic " + base64(access.base().getUserInfo()));
    if (secret.isPresent() && !access.keepsSecrets()) {
      throw unavailable(
          "would get the token over plain http, where others can read it; use https, or allow it"
              + " with --prometheus-token-anywhere",
          null);
    }
    return secret;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private InputStream decoded(HttpResponse<InputStream> response, InputStream raw)
      throws IOException {
    String encoding =
        response
            .headers()
            .firstValue("Content-Encoding")
            .orElse("")
            .strip()
            .toLowerCase(Locale.ROOT);
    switch (encoding) {
      case "", "identity" -> {
        return raw;
      }
      case "gzip", "x-gzip" -> {
        try {
          return new GZIPInputStream(raw, BUFFER);
        } catch (IOException e) {
          raw.close();
          throw unavailable("says its answer is gzip, and it is not; check what is in front", e);
        }
      }
      default -> {
        raw.close();
        throw unavailable(
            "answers in the encoding " + Words.abridged(encoding) + ", which was not asked for",
            null);
      }
    }
  }

  private Unavailable unavailable(String what, @Nullable Throwable e) {
    return new Unavailable("prometheus", "Prometheus at " + address() + " " + what, true, e);
  }

  /** Ends the client at once: an open one would delay the end of the program. */
  @Override
  public void close() {
    http.shutdownNow();
    try {
      http.awaitTermination(Duration.ofSeconds(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
