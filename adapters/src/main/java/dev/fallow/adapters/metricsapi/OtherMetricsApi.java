package dev.fallow.adapters.metricsapi;

import dev.fallow.adapters.TimedBody;
import dev.fallow.adapters.TrustedCertificates;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.ApiRegistration.Owner;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/**
 * Another server of the metrics APIs, asked directly. It cannot be told for whom: it believes that
 * of the API server's certificate only. So it is asked as an account of its own that may read
 * metrics and nothing else, since whoever gets a token can use it.
 */
public final class OtherMetricsApi {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
  private static final Duration LIMIT = Duration.ofSeconds(5);
  private static final int LONGEST_ANSWER = 16 << 20;
  private static final String JSON = "application/json";

  private final URI base;
  private final HttpClient http;
  private final Supplier<String> token;
  private final String shown;

  private OtherMetricsApi(URI base, HttpClient http, Supplier<String> token, String shown) {
    this.base = base;
    this.http = http;
    this.token = token;
    this.shown = shown;
  }

  /**
   * @param owner checked as the API server checked it
   * @param token asked for with each question
   */
  public static OtherMetricsApi of(Owner owner, Supplier<String> token) {
    try {
      SSLContext trust =
          owner.unchecked()
              ? TrustedCertificates.everybody()
              : owner.authorities().isEmpty()
                  ? SSLContext.getDefault()
                  : TrustedCertificates.only(owner.authorities());
      HttpClient http =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .connectTimeout(CONNECT_LIMIT)
              .sslContext(trust)
              .build();
      URI address = URI.create("https://" + owner.place().host() + ":" + owner.place().port());
      return new OtherMetricsApi(address, http, token, "the Service " + owner.place());
    } catch (IOException | GeneralSecurityException unreadable) {
      throw new Unavailable(
          "metrics-api",
          "the certificates by which the Service " + owner.place() + " is known cannot be read",
          false);
    }
  }

  /** A whole answer in JSON; a refusal of what was asked is one, too. */
  public record Answer(int status, String body) {}

  /**
   * @throws Unavailable if there is none, or it is a refusal of us
   */
  public Answer get(List<String> path, Map<String, String> query) {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve(target(path, query)))
            .timeout(LIMIT)
            .header("Accept", JSON)
            .header("Authorization", "Bearer " + token.get())
            .build();
    try {
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = new TimedBody(response.body(), LIMIT)) {
        return answer(
            response.statusCode(),
            response.headers().firstValue("Content-Type").orElse(""),
            body.readNBytes(LONGEST_ANSWER + 1));
      }
    } catch (IOException silent) {
      throw new Unavailable(
          "metrics-api", shown + ", which had this API before, does not answer", true);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Unavailable("metrics-api", "the question was called off", true);
    }
  }

  private Answer answer(int status, String type, byte[] body) {
    if (status == 401 || status == 403) {
      throw new Unavailable(
          "metrics-api",
          shown
              + " does not let our account read metrics; see deploy/metrics/passing.yaml (status "
              + status
              + ")",
          false);
    }
    boolean plain = status / 100 == 2 || status / 100 == 4 || status / 100 == 5;
    if (!plain || !type.startsWith(JSON) || body.length > LONGEST_ANSWER) {
      throw new Unavailable("metrics-api", shown + " answers with what cannot be passed on", false);
    }
    return new Answer(status, new String(body, StandardCharsets.UTF_8));
  }

  private static String target(List<String> path, Map<String, String> query) {
    String joined =
        path.stream().map(segment -> "/" + encoded(segment)).collect(Collectors.joining());
    return query.isEmpty()
        ? joined
        : joined
            + "?"
            + query.entrySet().stream()
                .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
                .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
  }
}
