package dev.fallow.rig;

import java.util.ArrayList;
import java.util.List;

/**
 * What an API path of one object says, such as {@code
 * /apis/apps/v1/namespaces/default/deployments/web}.
 *
 * @param group empty for the core group
 * @param namespace empty for objects of the whole cluster
 */
record ResourcePath(String group, String namespace, String resource, String name) {
  static ResourcePath parse(String path) {
    List<String> parts = new ArrayList<>(List.of(path.substring(1).split("/", -1)));
    String group = parts.removeFirst().equals("apis") ? parts.removeFirst() : "";
    parts.removeFirst();
    String namespace = "";
    if (parts.size() == 4 && parts.getFirst().equals("namespaces")) {
      parts.removeFirst();
      namespace = parts.removeFirst();
    }
    if (parts.size() != 2) {
      throw new IllegalArgumentException("not the path of one object: " + path);
    }
    return new ResourcePath(group, namespace, parts.get(0), parts.get(1));
  }

  /**
   * The keys under which etcd may hold the object: kinds of the API server itself lie under their
   * name, a few of them under the name they had in their youth, all others under their group too.
   */
  List<String> etcdKeys() {
    String tail = namespace.isEmpty() ? "/" + name : "/" + namespace + "/" + name;
    String folder =
        switch (resource) {
          case "nodes" -> "minions";
          case "services" -> "services/specs";
          case "endpoints" -> "services/endpoints";
          case "replicationcontrollers" -> "controllers";
          case "ingresses" -> "ingress";
          default -> resource;
        };
    return List.of("/registry/" + folder + tail, "/registry/" + group + "/" + resource + tail);
  }
}
