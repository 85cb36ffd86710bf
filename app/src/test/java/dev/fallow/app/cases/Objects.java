package dev.fallow.app.cases;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A Kubernetes object in the making. */
public final class Objects {

  private final Map<String, Object> map = new LinkedHashMap<>();

  static Objects of(String apiVersion, String kind, String namespace, String name, String uid) {
    Objects object = new Objects();
    object.put("apiVersion", apiVersion).put("kind", kind).meta("name", name).meta("uid", uid);
    return namespace.isEmpty() ? object : object.meta("namespace", namespace);
  }

  public Map<String, Object> map() {
    return map;
  }

  public Objects put(String field, Object value) {
    map.put(field, value);
    return this;
  }

  public Objects meta(String field, Object value) {
    child(map, "metadata").put(field, value);
    return this;
  }

  public Objects spec(String field, Object value) {
    child(map, "spec").put(field, value);
    return this;
  }

  public Objects status(String field, Object value) {
    child(map, "status").put(field, value);
    return this;
  }

  public Objects labels(Map<String, String> labels) {
    child(child(map, "metadata"), "labels").putAll(labels);
    return this;
  }

  public Objects annotations(Map<String, String> annotations) {
    child(child(map, "metadata"), "annotations").putAll(annotations);
    return this;
  }

  public Objects annotation(String key, String value) {
    return annotations(Map.of(key, value));
  }

  @SuppressWarnings("unchecked")
  public Objects controlledBy(CaseBuilder.Owner owner) {
    if (owner != null) {
      ((List<Object>)
              child(map, "metadata").computeIfAbsent("ownerReferences", key -> new ArrayList<>()))
          .add(reference(owner, true));
    }
    return this;
  }

  static Map<String, Object> reference(CaseBuilder.Owner owner, boolean controller) {
    Map<String, Object> reference = new LinkedHashMap<>();
    reference.put("apiVersion", owner.apiVersion);
    reference.put("kind", owner.kind);
    reference.put("name", owner.name);
    reference.put("uid", owner.uid);
    reference.put("controller", controller);
    return reference;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> child(Map<String, Object> parent, String name) {
    return (Map<String, Object>)
        parent.compute(
            name,
            (key, old) ->
                old instanceof Map<?, ?>
                    ? new LinkedHashMap<>((Map<String, Object>) old)
                    : new LinkedHashMap<>());
  }
}
