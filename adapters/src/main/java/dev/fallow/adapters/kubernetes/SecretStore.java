package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectTree;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One Secret that several processes share. Nothing of it is ever part of a message. */
public final class SecretStore {

  private static final ResourceKind SECRETS = new ResourceKind("v1", "Secret", "secrets", true);

  private final ApiServer api;
  private final String namespace;
  private final String name;

  /**
   * @param connection one {@linkplain KubernetesConnection#openForChanges for changes}
   */
  public SecretStore(KubernetesConnection connection, String namespace, String name) {
    this.api = connection.api();
    this.namespace = namespace;
    this.name = name;
  }

  /**
   * @param type never changes in the life of a Secret
   * @param version which state of it this is
   */
  public record Stored(Map<String, String> texts, String type, String version) {

    /** Without what it holds. */
    @Override
    public String toString() {
      return "version " + version;
    }
  }

  public Optional<Stored> read() {
    try {
      return new ObjectLister(api)
          .get(SECRETS, namespace, name, Projection.of("metadata.resourceVersion", "type", "data"))
          .map(SecretStore::stored);
    } catch (ApiRefusal refusal) {
      throw explained(refusal, "get");
    }
  }

  private static Stored stored(ObjectTree secret) {
    Map<String, String> texts = new HashMap<>();
    secret
        .texts("data")
        .forEach((key, value) -> {
          try {
            texts.put(key, new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8));
          } catch (IllegalArgumentException unreadable) {
            // As if it were not there.
          }
        });
    return new Stored(
        texts, secret.textOr("Opaque", "type"), secret.textOr("", "metadata", "resourceVersion"));
  }

  /**
   * Writes it, unless somebody else has written since; whether it was written.
   *
   * @param before what it takes the place of; nothing for a new one
   */
  public boolean write(Map<String, String> texts, Optional<Stored> before) {
    Map<String, Object> metadata = new HashMap<>(Map.of("name", name, "namespace", namespace));
    before.ifPresent(one -> metadata.put("resourceVersion", one.version()));
    metadata.put("labels", Map.of("app.kubernetes.io/managed-by", "fallow"));
    String body =
        Json.write(
            Map.of(
                "apiVersion",
                "v1",
                "kind",
                "Secret",
                "type",
                before.map(Stored::type).orElse("kubernetes.io/tls"),
                "metadata",
                metadata,
                "stringData",
                texts));
    try (ApiReply reply =
        before.isPresent()
            ? api.put(SECRETS.path(namespace, name), body)
            : api.post(SECRETS.path(namespace), ApiServer.JSON, ApiServer.JSON, body)) {
      if (reply.status() == 409) {
        return false;
      }
      ApiServer.orRefuse(reply);
      return true;
    } catch (ApiRefusal refusal) {
      throw explained(refusal, before.isPresent() ? "update" : "create");
    }
  }

  private Unavailable explained(ApiRefusal refusal, String verb) {
    return refusal.forbidden()
        ? new Unavailable(
            "kubernetes",
            "this account may not "
                + verb
                + " the Secret "
                + namespace
                + "/"
                + name
                + ", which holds the serving certificate; apply deploy/metrics",
            false)
        : refusal.unavailable();
  }
}
