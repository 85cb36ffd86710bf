package dev.fallow.adapters.kubernetes;

import dev.fallow.rig.Rig;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Objects for tests on a real API server, and connections to it. */
final class TestCluster {

  private TestCluster() {}

  static KubernetesConnection connect(Rig rig, String user) {
    return KubernetesConnection.open(
        new ConnectionOptions(
            Optional.of(rig.kubeconfigFor(user)), Optional.empty(), "test", Map.of()));
  }

  static void namespace(Rig rig, String name, String annotations) {
    rig.admin()
        .post(
            "/api/v1/namespaces",
            "{\"metadata\":{\"name\":\"%s\",\"annotations\":%s}}".formatted(name, annotations))
        .orThrow();
  }

  /** The UID of the object that was created. */
  static String create(Rig rig, String path, String json) {
    return rig.admin().post(path, json).orThrow().json().at("metadata", "uid").text();
  }

  static String pods(String namespace) {
    return "/api/v1/namespaces/" + namespace + "/pods";
  }

  static String apps(String namespace, String plural) {
    return "/apis/apps/v1/namespaces/" + namespace + "/" + plural;
  }

  /** A controller reference, or several. */
  static String owner(String apiVersion, String kind, String name, String uid) {
    return """
    [{"apiVersion":"%s","kind":"%s","name":"%s","uid":"%s","controller":true}]\
    """
        .formatted(apiVersion, kind, name, uid);
  }

  static String gpuPod(String name, String owners, int gpus) {
    return pod(name, owners, "{\"limits\":{\"nvidia.com/gpu\":\"%d\"}}".formatted(gpus), "");
  }

  static String pod(String name, String owners, String resources, String moreSpec) {
    return """
    {"metadata":{"name":"%s","ownerReferences":%s,"labels":{"app":"%1$s"}},
     "spec":{"nodeName":"n1","containers":[{"name":"main","image":"none","resources":%s}]%s}}\
    """
        .formatted(name, owners, resources, moreSpec);
  }

  static String scalable(String name, String owners, int replicas) {
    return """
    {"metadata":{"name":"%1$s","ownerReferences":%2$s},
     "spec":{"replicas":%3$d,"selector":{"matchLabels":{"app":"%1$s"}},
       "template":{"metadata":{"labels":{"app":"%1$s"}},
         "spec":{"containers":[{"name":"main","image":"none"}]}}}}\
    """
        .formatted(name, owners, replicas);
  }

  /** A namespaced kind without a schema of its own. */
  static void defineKind(Rig rig, String group, String kind, String plural) {
    define(rig, group, kind, plural, "{}");
  }

  /** The same with replicas that the API server can scale. */
  static void defineScalableKind(Rig rig, String group, String kind, String plural) {
    define(
        rig,
        group,
        kind,
        plural,
        "{\"scale\":{\"specReplicasPath\":\".spec.replicas\",\"statusReplicasPath\":\".status.replicas\"}}");
  }

  private static void define(
      Rig rig, String group, String kind, String plural, String subresources) {
    rig.admin()
        .post(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
            """
            {"metadata":{"name":"%3$s.%1$s"},
             "spec":{"group":"%1$s","scope":"Namespaced",
               "names":{"plural":"%3$s","kind":"%2$s"},
               "versions":[{"name":"v1","served":true,"storage":true,"subresources":%4$s,
                 "schema":{"openAPIV3Schema":{"type":"object",
                   "x-kubernetes-preserve-unknown-fields":true}}}]}}\
            """
                .formatted(group, kind, plural, subresources))
        .orThrow();
  }

  static String custom(String apiVersion, String kind, String name, String owners, String spec) {
    return """
    {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s","ownerReferences":%s},"spec":%s}\
    """
        .formatted(apiVersion, kind, name, owners, spec);
  }

  static List<String> each(int count, java.util.function.IntFunction<String> json) {
    return IntStream.range(0, count).mapToObj(json).collect(Collectors.toList());
  }
}
