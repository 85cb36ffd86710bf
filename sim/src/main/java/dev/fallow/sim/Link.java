package dev.fallow.sim;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One object in the chain above a pod.
 *
 * @param generation tells objects apart that follow one another under one name
 */
record Link(String apiVersion, String kind, String name, int generation) {

  static Link of(String apiVersion, String kind, String name) {
    return new Link(apiVersion, kind, name, 0);
  }

  static Link pod(String name, int generation) {
    return new Link("v1", "Pod", name, generation);
  }

  String uid(long seed, String namespace) {
    return Dice.uid(seed, kind + "/" + namespace + "/" + name + "/" + generation);
  }

  Map<String, Object> reference(long seed, String namespace) {
    Map<String, Object> reference = new LinkedHashMap<>();
    reference.put("apiVersion", apiVersion);
    reference.put("kind", kind);
    reference.put("name", name);
    reference.put("uid", uid(seed, namespace));
    reference.put("controller", true);
    reference.put("blockOwnerDeletion", true);
    return reference;
  }
}
