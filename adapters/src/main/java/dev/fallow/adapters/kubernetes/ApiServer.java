package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;

/**
 * Questions to the API server and its answers as streams: no body is ever held as a whole. The
 * client underneath adds the credentials, and tries a question again that found no answer.
 */
final class ApiServer {

  static final String JSON = "application/json";
  private static final Duration HEADERS_LIMIT = Duration.ofSeconds(30);
  private static final Duration ALL_TRIES_LIMIT = Duration.ofSeconds(120);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int GZIP_BUFFER = 64 * 1024;

  private final URI server;
  private final HttpClient http;
  private final Duration headersLimit;
  private final Duration allTriesLimit;
  private final ServerClock clock = new ServerClock();

  ApiServer(URI server, HttpClient http) {
    this(server, http, HEADERS_LIMIT, ALL_TRIES_LIMIT);
  }

  /**
   * @param headersLimit how long one try may wait for an answer
   * @param allTriesLimit how long all of them may
   */
  ApiServer(URI server, HttpClient http, Duration headersLimit, Duration allTriesLimit) {
    this.server = server;
    this.http = http;
    this.headersLimit = headersLimit;
    this.allTriesLimit = allTriesLimit;
  }

  /** The time there, as its answers tell it. */
  ServerClock clock() {
    return clock;
  }

  URI address() {
    return server;
  }

  /** Whatever the answer is. */
  ApiReply get(String path, String accept) {
    return send(
        request(path).setHeader("Accept", accept).setHeader("Accept-Encoding", "gzip"), PATIENCE);
  }

  /** The same with a header more, for who answers behind the server. */
  ApiReply get(String path, String accept, String header, String value) {
    return send(request(path).setHeader("Accept", accept).setHeader(header, value), PATIENCE);
  }

  /** A stream of changes, during which the server may be silent for as long as it was asked to. */
  ApiReply watch(String path, Duration silence) {
    return send(request(path).setHeader("Accept", JSON), silence);
  }

  /** Whatever the answer is. */
  ApiReply post(String path, String accept, String contentType, String body) {
    return send(
        request(path)
            .setHeader("Accept", accept)
            .setHeader("Accept-Encoding", "gzip")
            .post(contentType, body),
        PATIENCE);
  }

  /** A JSON merge patch; whatever the answer is. */
  ApiReply patch(String path, String body) {
    return send(
        request(path).setHeader("Accept", JSON).patch("application/merge-patch+json", body),
        PATIENCE);
  }

  /** Whatever the answer is. */
  ApiReply put(String path, String body) {
    return send(request(path).setHeader("Accept", JSON).put(JSON, body), PATIENCE);
  }

  /** The failure to read a body as what people are told. */
  Unavailable brokenOff(IOException failure) {
    return ApiProblem.unreachable(server, failure);
  }

  /** The reply if it is a good one. */
  static ApiReply orRefuse(ApiReply reply) {
    if (reply.ok()) {
      return reply;
    }
    try (reply) {
      throw new ApiRefusal(reply.status(), StatusMessage.of(reply.text()));
    }
  }

  private HttpRequest.Builder request(String path) {
    String base = server.toString();
    String joined =
        (base.endsWith("/") ? base : base + "/")
            + (path.startsWith("/") ? path.substring(1) : path);
    return http.newHttpRequestBuilder()
        .uri(joined)
        .timeout(headersLimit.toMillis(), TimeUnit.MILLISECONDS);
  }

  private ApiReply send(HttpRequest.Builder request, Duration patience) {
    CompletableFuture<HttpResponse<InputStream>> pending =
        http.sendAsync(request.build(), InputStream.class);
    try {
      HttpResponse<InputStream> response =
          pending.get(allTriesLimit.toMillis(), TimeUnit.MILLISECONDS);
      clock.hear(header(response, "Date"));
      InputStream body = new PatientBody(response.body(), patience);
      String encoding = header(response, "Content-Encoding");
      return new ApiReply(
          response.code(),
          header(response, "Content-Type"),
          encoding,
          encoding.equals("gzip") ? unzipped(body) : body);
    } catch (ExecutionException failed) {
      throw ApiProblem.unreachable(server, failed);
    } catch (TimeoutException | CancellationException late) {
      pending.cancel(true);
      throw ApiProblem.unreachable(server, late);
    } catch (InterruptedException stopped) {
      pending.cancel(true);
      Thread.currentThread().interrupt();
      throw new Unavailable("kubernetes", "the question was called off", true, stopped);
    }
  }

  private InputStream unzipped(InputStream body) {
    try {
      return new GZIPInputStream(body, GZIP_BUFFER);
    } catch (IOException notZipped) {
      throw brokenOff(notZipped);
    }
  }

  private static String header(HttpResponse<?> response, String name) {
    return Optional.ofNullable(response.header(name)).orElse("");
  }
}
