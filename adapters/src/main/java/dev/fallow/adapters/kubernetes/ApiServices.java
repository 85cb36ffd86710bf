package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.ApiRegistration.Current;
import dev.fallow.core.autoscale.ApiRegistration.Owner;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.core.fleet.ObjectTree;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Who the API server lets answer for the versions of other APIs. */
public final class ApiServices {

  private static final ResourceKind API_SERVICES =
      new ResourceKind("apiregistration.k8s.io/v1", "APIService", "apiservices", false);

  /** Whom we took it over from: what is needed to ask them still, and to give it back. */
  private static final String FORMER = "fallow.dev/former-owner";

  private static final int DEFAULT_PORT = 443;
  private static final int GROUP_PRIORITY = 100;

  private final ApiServer api;

  public ApiServices(KubernetesConnection connection) {
    this.api = connection.api();
  }

  /**
   * @param priority among the versions of its group; autoscalers speak the one with the highest
   */
  public record Version(String group, String version, int priority) {

    /** {@code v1beta1.custom.metrics.k8s.io}. */
    public String name() {
      return version + "." + group;
    }
  }

  /**
   * @param version which state of it this is
   * @param available whether the API server reaches whoever answers
   * @param message why not, in its words
   */
  public record Registered(Current current, String version, boolean available, String message) {}

  public Optional<Registered> read(String name) {
    try {
      return new ObjectLister(api)
          .get(API_SERVICES, "", name, Projection.WHOLE)
          .map(ApiServices::registered);
    } catch (ApiRefusal refusal) {
      throw explained(refusal, "get");
    }
  }

  private static Registered registered(ObjectTree object) {
    ObjectTree spec = object.tree("spec");
    Optional<Owner> owner =
        spec.text("service", "name")
            .map(name ->
                new Owner(
                    new Place(
                        spec.textOr("", "service", "namespace"),
                        name,
                        (int) spec.number("service", "port").orElse(DEFAULT_PORT)),
                    decoded(spec.textOr("", "caBundle")),
                    spec.isTrue("insecureSkipTLSVerify")));
    Optional<Owner> former =
        object
            .text("metadata", "annotations", FORMER)
            .flatMap(Json::read)
            .map(tree ->
                new Owner(
                    new Place(
                        tree.textOr("", "namespace"),
                        tree.textOr("", "service"),
                        (int) tree.number("port").orElse(DEFAULT_PORT)),
                    tree.textOr("", "authorities"),
                    tree.isTrue("unchecked")));
    Optional<ObjectTree> condition =
        object.list("status", "conditions").stream()
            .filter(one -> one.textOr("", "type").equals("Available"))
            .findFirst();
    return new Registered(
        new Current(owner, former),
        object.textOr("", "metadata", "resourceVersion"),
        condition.filter(one -> one.textOr("", "status").equals("True")).isPresent(),
        condition.map(one -> one.textOr("", "message")).orElse(""));
  }

  private static String decoded(String base64) {
    try {
      return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException unreadable) {
      return "";
    }
  }

  /** Registers one that is not there; whether it was, and nobody came first. */
  public boolean create(Version version, Owner owner) {
    Map<String, Object> object = new HashMap<>();
    object.put("apiVersion", API_SERVICES.apiVersion());
    object.put("kind", API_SERVICES.kind());
    object.put(
        "metadata",
        Map.of("name", version.name(), "labels", Map.of("app.kubernetes.io/managed-by", "fallow")));
    Map<String, Object> spec = spec(owner);
    spec.put("group", version.group());
    spec.put("version", version.version());
    spec.put("groupPriorityMinimum", GROUP_PRIORITY);
    spec.put("versionPriority", version.priority());
    object.put("spec", spec);
    try (ApiReply reply =
        api.post(API_SERVICES.path(""), ApiServer.JSON, ApiServer.JSON, Json.write(object))) {
      return reply.status() != 409 && ApiServer.orRefuse(reply).ok();
    } catch (ApiRefusal refusal) {
      throw explained(refusal, "create");
    }
  }

  /**
   * Gives one to another owner, or the same one other certificates, unless somebody has changed it
   * since; whether it was done.
   *
   * @param former whom it is taken from
   */
  public boolean change(Version version, Registered before, Owner owner, Optional<Owner> former) {
    Map<String, Object> metadata = new HashMap<>();
    metadata.put("resourceVersion", before.version());
    metadata.put("labels", Map.of("app.kubernetes.io/managed-by", "fallow"));
    former.ifPresent(one -> metadata.put("annotations", Map.of(FORMER, written(one))));
    String body = Json.write(Map.of("metadata", metadata, "spec", spec(owner)));
    try (ApiReply reply = api.patch(API_SERVICES.path("", version.name()), body)) {
      return reply.status() != 409 && ApiServer.orRefuse(reply).ok();
    } catch (ApiRefusal refusal) {
      throw explained(refusal, "patch");
    }
  }

  private static String written(Owner owner) {
    return Json.write(
        Map.of(
            "namespace", owner.place().namespace(),
            "service", owner.place().service(),
            "port", owner.place().port(),
            "authorities", owner.authorities(),
            "unchecked", owner.unchecked()));
  }

  private static Map<String, Object> spec(Owner owner) {
    Map<String, Object> spec = new HashMap<>();
    spec.put(
        "service",
        Map.of(
            "namespace", owner.place().namespace(),
            "name", owner.place().service(),
            "port", owner.place().port()));
    spec.put(
        "caBundle",
        Base64.getEncoder().encodeToString(owner.authorities().getBytes(StandardCharsets.UTF_8)));
    spec.put("insecureSkipTLSVerify", owner.unchecked());
    return spec;
  }

  private static Unavailable explained(ApiRefusal refusal, String verb) {
    return refusal.forbidden()
        ? new Unavailable(
            "kubernetes",
            "this account may not "
                + verb
                + " apiservices.apiregistration.k8s.io; apply deploy/metrics",
            false)
        : refusal.unavailable();
  }
}
