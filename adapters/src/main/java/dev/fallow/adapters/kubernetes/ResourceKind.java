package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * A kind and where the API server keeps its objects.
 *
 * @param apiVersion such as {@code apps/v1}
 * @param plural its name in paths, such as {@code deployments}
 * @param scalable whether the server says that it can scale it
 */
record ResourceKind(
    String apiVersion, String kind, String plural, boolean namespaced, boolean scalable) {

  ResourceKind(String apiVersion, String kind, String plural, boolean namespaced) {
    this(apiVersion, kind, plural, namespaced, false);
  }

  static final ResourceKind PODS = new ResourceKind("v1", "Pod", "pods", true);
  static final ResourceKind NODES = new ResourceKind("v1", "Node", "nodes", false);
  static final ResourceKind NAMESPACES = new ResourceKind("v1", "Namespace", "namespaces", false);
  static final ResourceKind SERVICES = new ResourceKind("v1", "Service", "services", true);

  String group() {
    return ObjectId.groupOf(apiVersion);
  }

  /** The resource as rights name it: {@code deployments.apps}. */
  String resource() {
    return group().isEmpty() ? plural : plural + "." + group();
  }

  /**
   * @param namespace empty for all
   */
  String path(String namespace) {
    String root = (group().isEmpty() ? "/api/" : "/apis/") + apiVersion;
    return namespaced && !namespace.isEmpty()
        ? root + "/namespaces/" + encoded(namespace) + "/" + plural
        : root + "/" + plural;
  }

  String path(String namespace, String name) {
    return path(namespace) + "/" + encoded(name);
  }

  /** The object with its kind, which the entries of a list leave unsaid. */
  ObjectTree named(ObjectTree object) {
    Map<String, Object> fields = new HashMap<>(object.fields());
    fields.put("apiVersion", apiVersion);
    fields.put("kind", kind);
    return new ObjectTree(fields);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
