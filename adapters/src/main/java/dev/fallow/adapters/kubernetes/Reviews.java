package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks the API server who somebody is and what they may do; nothing is stored by asking. */
public final class Reviews {

  private static final String TOKENS = "/apis/authentication.k8s.io/v1/tokenreviews";
  private static final String ACCESS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
  private static final String SELF = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  private static final int LONGEST_TOKEN = 12_000;

  private final ApiServer api;
  private final KindCatalog catalog;

  public Reviews(KubernetesConnection connection) {
    this.api = connection.api();
    this.catalog = new KindCatalog(api);
  }

  /**
   * Somebody the API server knows.
   *
   * @param extra what whoever signed them in added; some authorizers narrow rights by it
   */
  public record Identity(
      String name, String uid, List<String> groups, Map<String, List<String>> extra) {
    public Identity {
      groups = List.copyOf(groups);
      extra = Map.copyOf(extra);
    }

    public Identity(String name, List<String> groups) {
      this(name, "", groups, Map.of());
    }
  }

  /**
   * Something to do with a resource, in the words of rights.
   *
   * @param subresource empty for none
   * @param namespace empty for all, or for what belongs to the cluster
   * @param name empty for any
   */
  public record Deed(
      String verb,
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name) {}

  /** Whose token it is; nobody's, if the API server does not take it. */
  public Optional<Identity> holderOf(String token) {
    if (token.isBlank() || token.length() > LONGEST_TOKEN) {
      return Optional.empty();
    }
    ObjectTree status =
        ask(
                TOKENS,
                Map.of(
                    "apiVersion",
                    "authentication.k8s.io/v1",
                    "kind",
                    "TokenReview",
                    "spec",
                    Map.of("token", token)),
                "tokenreviews")
            .tree("status");
    return status.isTrue("authenticated") ? identity(status.tree("user")) : Optional.empty();
  }

  public boolean mayUpdate(Identity who, ObjectId object) {
    String version = object.group().isEmpty() ? "v1" : object.group() + "/v1";
    Optional<ResourceKind> kind;
    try {
      kind = catalog.find(version, object.kind());
    } catch (ApiRefusal refusal) {
      throw refusal.unavailable();
    }
    return kind.filter(
            one -> may(who, "update", one.group(), one.plural(), object.namespace(), object.name()))
        .isPresent();
  }

  public boolean mayListPods(Identity who, String namespace) {
    return may(who, "list", "", "pods", namespace, "");
  }

  private boolean may(
      Identity who, String verb, String group, String resource, String namespace, String name) {
    return may(who, new Deed(verb, group, "", resource, "", namespace, name));
  }

  public boolean may(Identity who, Deed deed) {
    return allowed(
        who,
        "resourceAttributes",
        Map.of(
            "verb", deed.verb(),
            "group", deed.group(),
            "version", deed.version(),
            "resource", deed.resource(),
            "subresource", deed.subresource(),
            "namespace", deed.namespace(),
            "name", deed.name()));
  }

  /** Whether somebody may read what lies at a path that is no object's. */
  public boolean mayRead(Identity who, String path) {
    return allowed(who, "nonResourceAttributes", Map.of("verb", "get", "path", path));
  }

  private boolean allowed(Identity who, String kind, Map<String, String> attributes) {
    Map<String, Object> spec = new HashMap<>();
    spec.put("user", who.name());
    spec.put("uid", who.uid());
    spec.put("groups", who.groups());
    spec.put("extra", who.extra());
    spec.put(kind, attributes);
    return ask(
            ACCESS,
            Map.of(
                "apiVersion",
                "authorization.k8s.io/v1",
                "kind",
                "SubjectAccessReview",
                "spec",
                spec),
            "subjectaccessreviews")
        .isTrue("status", "allowed");
  }

  /** Who asks by this connection; nobody where the API server is too old to say. */
  public Optional<Identity> self() {
    try {
      return identity(
          ask(
                  SELF,
                  Map.of("apiVersion", "authentication.k8s.io/v1", "kind", "SelfSubjectReview"),
                  "selfsubjectreviews")
              .tree("status", "userInfo"));
    } catch (Unavailable unknown) {
      return Optional.empty();
    }
  }

  private static Optional<Identity> identity(ObjectTree user) {
    String name = user.textOr("", "username");
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Identity(
                name,
                user.textOr("", "uid"),
                texts(user.fields().get("groups")),
                extra(user.tree("extra"))));
  }

  private static Map<String, List<String>> extra(ObjectTree tree) {
    Map<String, List<String>> extra = new HashMap<>();
    tree.fields().forEach((key, values) -> extra.put(key, texts(values)));
    return extra;
  }

  private static List<String> texts(@Nullable Object value) {
    return value instanceof List<?> list ? list.stream().map(String::valueOf).toList() : List.of();
  }

  private ObjectTree ask(String path, Map<String, Object> question, String resource) {
    try (ApiReply reply =
        ApiServer.orRefuse(api.post(path, ApiServer.JSON, ApiServer.JSON, Json.write(question)))) {
      return Json.read(reply.text()).orElse(ObjectTree.EMPTY);
    } catch (ApiRefusal refusal) {
      if (refusal.forbidden()) {
        throw new Unavailable(
            "reviews",
            "this account may not create "
                + resource
                + ", so it cannot tell who asks; apply deploy/base/web-role.yaml, or"
                + " deploy/metrics",
            false);
      }
      throw refusal.unavailable();
    }
  }
}
