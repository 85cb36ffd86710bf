package dev.fallow.adapters.scrape;

import dev.fallow.core.exposition.ExpositionParser;
import dev.fallow.core.exposition.ExpositionParser.Timestamps;
import dev.fallow.core.exposition.MalformedText;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Asks one exporter once. Goes straight to it: through no proxy, and nowhere it is sent on to. */
final class ExporterClient implements AutoCloseable {

  private final HttpClient http;
  private final Duration timeout;
  private final int bodyBytes;

  ExporterClient(ScrapeSettings settings) {
    this.timeout = settings.timeout();
    this.bodyBytes = settings.limits().bodyBytes();
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(settings.connectTimeout())
            .build();
  }

  /** Hands over the samples of an answer; a failure may come after some of them. */
  void ask(ScrapeTarget target, ExpositionParser.Sink sink) throws ScrapeFailure {
    HttpRequest request =
        HttpRequest.newBuilder(target.url())
            .timeout(timeout)
            .header("Accept", "text/plain;version=0.0.4")
            .header("User-Agent", "fallow")
            .build();
    long started = System.nanoTime();
    try {
      HttpResponse<InputStream> response =
          http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      Duration left = timeout.minusNanos(System.nanoTime() - started);
      try (MeteredBody body = new MeteredBody(response.body(), bodyBytes, timeout, left)) {
        refuseUnlessText(response);
        parse(body, header(response, "Content-Type"), sink);
      }
    } catch (MalformedText malformed) {
      throw new ScrapeFailure(
          "answers with something else than metrics: " + malformed.getMessage(), malformed);
    } catch (IOException broken) {
      throw new ScrapeFailure(sentence(broken), broken);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      throw new ScrapeFailure("was not waited for: the program is ending", ending);
    }
  }

  private static void refuseUnlessText(HttpResponse<?> response) throws ScrapeFailure {
    int status = response.statusCode();
    if (status / 100 == 3) {
      throw new ScrapeFailure("sends elsewhere, which is not followed; give its final address");
    }
    if (status == 401 || status == 403) {
      throw new ScrapeFailure("asks for credentials, which are not sent (status " + status + ")");
    }
    if (status != 200) {
      throw new ScrapeFailure("answers with status " + status);
    }
    String encoding = header(response, "Content-Encoding");
    if (!encoding.isEmpty() && !encoding.equals("identity")) {
      throw new ScrapeFailure("answers in an encoding that was not asked for");
    }
  }

  private static void parse(MeteredBody body, String type, ExpositionParser.Sink sink)
      throws IOException, MalformedText {
    boolean openMetrics = type.startsWith("application/openmetrics-text");
    boolean ended =
        new ExpositionParser(openMetrics ? Timestamps.SECONDS : Timestamps.MILLISECONDS, sink)
            .parse(
                new InputStreamReader(
                    body,
                    StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)));
    if (openMetrics ? !ended : !body.endsWithLine()) {
      throw new MalformedText("its end is cut off");
    }
  }

  private String sentence(IOException broken) {
    return switch (broken) {
      case MeteredBody.Exceeded exceeded -> String.valueOf(exceeded.getMessage());
      case HttpTimeoutException late -> "did not answer within " + timeout.toMillis() + " ms";
      case SSLException untrusted -> "shows a certificate that is not trusted here";
      case CharacterCodingException garbled -> "answers with something else than UTF-8 text";
      case ConnectException refused ->
          caused(refused, UnresolvedAddressException.class)
              ? "has a host name that is unknown here"
              : "cannot be reached";
      default -> "broke off its answer";
    };
  }

  private static boolean caused(Throwable failure, Class<? extends Throwable> kind) {
    int depth = 0;
    for (@Nullable Throwable one = failure;
        one != null && depth < 20;
        one = one.getCause(), depth++) {
      if (kind.isInstance(one)) {
        return true;
      }
    }
    return false;
  }

  private static String header(HttpResponse<?> response, String name) {
    return response.headers().firstValue(name).orElse("").strip().toLowerCase(Locale.ROOT);
  }

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
