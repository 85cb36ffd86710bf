package dev.fallow.core.fleet;

import java.util.Map;

/** A namespace and those of its annotations that decide something here. */
public record NamespaceFacts(String name, Map<String, String> annotations) {

  public NamespaceFacts {
    annotations = Map.copyOf(annotations);
  }

  public static NamespaceFacts of(ObjectTree namespace) {
    return new NamespaceFacts(
        namespace.textOr("", "metadata", "name"), Annotations.decisiveOf(namespace));
  }
}
