package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;

/**
 * An object of the API by its place; two objects may have it one after the other.
 *
 * @param group empty for the core group
 * @param namespace empty for objects of the whole cluster
 */
public record ObjectRef(String group, String resource, String namespace, String name) {
  /** What an audit event is about; the name of an object being created is in its body. */
  public static ObjectRef of(Json event) {
    Json ref = event.at("objectRef");
    String name = ref.at("name").text();
    return new ObjectRef(
        ref.at("apiGroup").text(),
        ref.at("resource").text(),
        ref.at("namespace").text(),
        name.isEmpty() ? event.at("responseObject", "metadata", "name").text() : name);
  }

  public static ObjectRef namespace(String name) {
    return new ObjectRef("", "namespaces", name, name);
  }

  /** The resource as a role or kubectl names it, such as {@code deployments.apps}. */
  public String kind() {
    return group.isEmpty() ? resource : resource + "." + group;
  }

  @Override
  public String toString() {
    return kind() + "/" + (namespace.isEmpty() ? "" : namespace + "/") + name;
  }
}
