package dev.fallow.rig;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Reads and writes etcd behind the API server's back, through etcd's JSON gateway: for what the API
 * server lets nobody write, such as the time an object was created.
 */
final class EtcdStore {
  private final HttpClient http;
  private final URI etcd;

  EtcdStore(HttpClient http, URI etcd) {
    this.http = http;
    this.etcd = etcd;
  }

  /** A value with the revision that says which version of it this is. */
  record Stored(String key, String value, long revision) {}

  Optional<Stored> read(String key) {
    Json answer = call("/v3/kv/range", "{\"key\":\"%s\"}".formatted(encode(key)));
    return answer.at("kvs").items().stream()
        .findFirst()
        .map(
            entry -> new Stored(key, decode(entry.at("value")), entry.at("mod_revision").number()));
  }

  /** Replaces a value, unless somebody else has replaced it since it was read. */
  boolean replace(Stored read, String value) {
    Json answer =
        call(
            "/v3/kv/txn",
            """
            {"compare":[{"key":"%1$s","target":"MOD","result":"EQUAL","mod_revision":"%2$d"}],
             "success":[{"request_put":{"key":"%1$s","value":"%3$s","ignore_lease":true}}]}\
            """
                .formatted(encode(read.key()), read.revision(), encode(value)));
    return answer.at("succeeded").text().equals("true");
  }

  private Json call(String path, String json) {
    HttpRequest request =
        HttpRequest.newBuilder(etcd.resolve(path))
            .POST(HttpRequest.BodyPublishers.ofString(json))
            .build();
    try {
      HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
      return new ApiResponse(response.statusCode(), response.body()).orThrow().json();
    } catch (IOException e) {
      throw new RigException("etcd does not answer", e);
    } catch (InterruptedException e) {
      throw Poll.interrupted(e);
    }
  }

  private static String encode(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decode(Json base64) {
    return new String(Base64.getDecoder().decode(base64.text()), StandardCharsets.UTF_8);
  }
}
