package dev.fallow.rig;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.IntPredicate;

/**
 * Asks a server on the loopback interface whether it is ready.
 *
 * @param http must trust the server's certificate, if it has one
 * @param scheme http or https
 * @param path what answers 200 when the server is ready
 * @param words what the answer must contain besides
 */
record HttpProbe(HttpClient http, String scheme, String path, String words)
    implements IntPredicate {
  private static final Duration LIMIT = Duration.ofSeconds(5);

  HttpProbe(HttpClient http, String scheme, String path) {
    this(http, scheme, path, "");
  }

  @Override
  public boolean test(int port) {
    URI uri = URI.create(scheme + "://127.0.0.1:" + port + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(LIMIT).build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      return response.statusCode() == 200 && response.body().contains(words);
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw Poll.interrupted(e);
    }
  }
}
