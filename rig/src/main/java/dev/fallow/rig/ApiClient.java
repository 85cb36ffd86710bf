package dev.fallow.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;

/**
 * Speaks to the API server as one user, in JSON text; takes large answers packed, as Kubernetes'
 * own clients do. Safe for use by many threads.
 *
 * <p>Paths are those of the API itself, such as {@code /api/v1/namespaces/default/pods/p1}.
 */
public final class ApiClient {
  /** What the audit log says of requests made through this class. */
  public static final String USER_AGENT = "fallow-rig";

  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int PARALLEL = 16;
  private static final String JSON = "application/json";
  private static final String GZIP = "gzip";

  private final HttpClient http;
  private final Supplier<URI> server;
  private final String token;

  ApiClient(HttpClient http, Supplier<URI> server, String token) {
    this.http = http;
    this.server = server;
    this.token = token;
  }

  public ApiResponse get(String path) {
    return send("GET", path, JSON, "");
  }

  public ApiResponse post(String path, String json) {
    return send("POST", path, JSON, json);
  }

  public ApiResponse put(String path, String json) {
    return send("PUT", path, JSON, json);
  }

  /** A JSON merge patch. */
  public ApiResponse patch(String path, String json) {
    return send("PATCH", path, "application/merge-patch+json", json);
  }

  public ApiResponse delete(String path) {
    return send("DELETE", path, JSON, "");
  }

  /** Any other request; an empty body is none. */
  public ApiResponse send(String method, String path, String contentType, String body) {
    HttpRequest.BodyPublisher publisher =
        body.isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body);
    HttpRequest request =
        HttpRequest.newBuilder(server.get().resolve(path))
            .timeout(LIMIT)
            .header("Authorization", "Bearer " + token)
            .header("User-Agent", USER_AGENT)
            .header("Accept", JSON)
            .header("Accept-Encoding", GZIP)
            .header("Content-Type", contentType)
            .method(method, publisher)
            .build();
    try {
      HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
      return new ApiResponse(response.statusCode(), text(response));
    } catch (IOException e) {
      throw new RigException(method + " " + path + ": no answer", e);
    } catch (InterruptedException e) {
      throw Poll.interrupted(e);
    }
  }

  private static String text(HttpResponse<byte[]> response) throws IOException {
    boolean packed = response.headers().firstValue("Content-Encoding").orElse("").equals(GZIP);
    if (!packed) {
      return new String(response.body(), UTF_8);
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  /** Creates many objects at one path, several at a time; fails if any is refused. */
  public void postAll(String path, List<String> objects) {
    Semaphore slots = new Semaphore(PARALLEL);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<ApiResponse>> answers = new ArrayList<>(objects.size());
      for (String object : objects) {
        slots.acquire();
        answers.add(
            threads.submit(() -> {
              try {
                return post(path, object).orThrow();
              } finally {
                slots.release();
              }
            }));
      }
      for (Future<ApiResponse> answer : answers) {
        answer.get();
      }
    } catch (ExecutionException e) {
      throw new RigException("not all objects could be created at " + path, e);
    } catch (InterruptedException e) {
      throw Poll.interrupted(e);
    }
  }

  /**
   * Creates a node that pods can be scheduled on. A real kubelet registers its node with a status,
   * as this does; admission then taints the node as not ready, and the controller that would take
   * that taint away does not run by default, so it is replaced by the node's own taints.
   */
  public void createNode(RigNode node) {
    post("/api/v1/nodes", node.json()).orThrow();
    patch("/api/v1/nodes/" + node.name(), node.taintsPatch()).orThrow();
  }
}
