package dev.fallow.sim;

import java.util.Map;

/** A namespace: one team's, as a rule. */
public record SimNamespace(String name, Map<String, String> annotations) {

  public SimNamespace {
    annotations = Map.copyOf(annotations);
  }
}
