package dev.fallow.adapters.oidc;

import dev.fallow.core.Unavailable;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * Requests to an issuer, bounded in time and size. What goes wrong is told by kind: the words of
 * exceptions may repeat what was sent.
 *
 * @param http one that follows no redirects
 * @param patience for a request from beginning to end
 */
public record IssuerCalls(HttpClient http, Duration patience) {

  private static final long MOST_BYTES = 256 * 1024;

  record Answer(int status, String text) {
    /** Without the text, which may hold a token. */
    @Override
    public String toString() {
      return "Answer " + status;
    }
  }

  Answer ask(String who, HttpRequest.Builder request) {
    CompletableFuture<HttpResponse<String>> coming =
        http.sendAsync(
            request.header("Accept", "application/json").header("User-Agent", "fallow").build(),
            BodyHandlers.limiting(BodyHandlers.ofString(StandardCharsets.UTF_8), MOST_BYTES));
    try {
      HttpResponse<String> answer = coming.get(patience.toMillis(), TimeUnit.MILLISECONDS);
      return new Answer(answer.statusCode(), answer.body());
    } catch (TimeoutException late) {
      coming.cancel(true);
      throw unavailable(who + " did not answer within " + patience.toMillis() + " ms");
    } catch (InterruptedException ending) {
      coming.cancel(true);
      Thread.currentThread().interrupt();
      throw unavailable(who + " was not waited for");
    } catch (ExecutionException failure) {
      throw unavailable(
          who
              + (failure.getCause() instanceof SSLException
                  ? " shows a certificate that is not trusted here; name the file of its authority"
                      + " with --dashboard-oidc-ca-file"
                  : " cannot be reached, broke off, or answered with more than is taken; check the"
                      + " network policies and HTTPS_PROXY"));
    }
  }

  private static Unavailable unavailable(String sentence) {
    return new Unavailable("oidc", sentence, true);
  }
}
