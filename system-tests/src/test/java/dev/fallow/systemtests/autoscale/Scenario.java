package dev.fallow.systemtests.autoscale;

import java.util.List;

/**
 * A workload with a plain HPA.
 *
 * @param name of all its objects
 * @param from replicas that it has at first
 * @param to replicas that the formula comes to, for the work there is
 * @param load per cent of a GPU that the work takes, or what else the exposed unit is
 * @param exposed what exporters show of it
 * @param metrics of the HPA, as JSON
 */
record Scenario(
    String name,
    int from,
    int to,
    double load,
    Place place,
    Bounds bounds,
    Workload workload,
    Exposed exposed,
    List<String> metrics) {

  /**
   * @param kind Deployment or StatefulSet
   */
  record Place(String namespace, String kind) {}

  /** Between which the HPA may choose. */
  record Bounds(int min, int max) {}

  /**
   * @param limits resources of a pod, as JSON members
   * @param annotations of the workload, as JSON members
   */
  record Workload(String limits, String annotations) {}

  private static final String GPU = "\"nvidia.com/gpu\":\"1\"";

  /** A Deployment whose pods have a GPU each. */
  static Scenario of(String name, int from, int to, double load, String... metrics) {
    return new Scenario(
        name,
        from,
        to,
        load,
        new Place("ml", "Deployment"),
        new Bounds(1, 8),
        new Workload(GPU, ""),
        Exposed.oneGpu(),
        List.of(metrics));
  }

  private Scenario with(Place where, Bounds within, Workload what, Exposed shown) {
    return new Scenario(name, from, to, load, where, within, what, shown, metrics);
  }

  Scenario exposing(Exposed other) {
    return with(place, bounds, workload, other);
  }

  Scenario holding(String limits) {
    return with(place, bounds, new Workload(limits, workload.annotations()), exposed);
  }

  Scenario annotated(String members) {
    return with(place, bounds, new Workload(workload.limits(), members), exposed);
  }

  Scenario between(int least, int most) {
    return with(place, new Bounds(least, most), workload, exposed);
  }

  Scenario in(String namespace) {
    return with(new Place(namespace, place.kind()), bounds, workload, exposed);
  }

  Scenario as(String kind) {
    return with(new Place(place.namespace(), kind), bounds, workload, exposed);
  }

  String namespace() {
    return place.namespace();
  }

  String collection() {
    return "/apis/apps/v1/namespaces/" + namespace() + "/" + place.kind().toLowerCase() + "s";
  }

  String path() {
    return collection() + "/" + name;
  }

  String autoscalers() {
    return "/apis/autoscaling/v2/namespaces/" + namespace() + "/horizontalpodautoscalers";
  }

  String workloadJson() {
    String ofStatefulSets =
        place.kind().equals("StatefulSet")
            ? "\"serviceName\":\"%s\",\"podManagementPolicy\":\"Parallel\",".formatted(name)
            : "";
    return """
    {"metadata":{"name":"%1$s","annotations":{%4$s}},"spec":{"replicas":%2$d,%5$s
      "selector":{"matchLabels":{"app":"%1$s"}},
      "template":{"metadata":{"labels":{"app":"%1$s"}},"spec":{"containers":[{"name":"main",
        "image":"none","resources":{"limits":{%3$s}}}]}}}}
    """
        .formatted(name, from, workload.limits(), workload.annotations(), ofStatefulSets);
  }

  String autoscalerJson() {
    return """
    {"metadata":{"name":"%1$s"},"spec":{"minReplicas":%2$d,"maxReplicas":%3$d,
      "scaleTargetRef":{"apiVersion":"apps/v1","kind":"%4$s","name":"%1$s"},
      "behavior":{"scaleDown":{"stabilizationWindowSeconds":0}},"metrics":[%5$s]}}
    """
        .formatted(name, bounds.min(), bounds.max(), place.kind(), String.join(",", metrics));
  }

  /** A metric of the pods, with the mean they should have. */
  static String pods(String metric, String average) {
    return pods(metric, "{}", average);
  }

  static String pods(String metric, String selector, String average) {
    return """
    {"type":"Pods","pods":{"metric":{"name":"%s","selector":%s},
      "target":{"type":"AverageValue","averageValue":"%s"}}}
    """
        .formatted(metric, selector, average);
  }

  /** A metric of one object; the target is a member such as {@code "value":"50"}. */
  static String object(String api, String kind, String name, String metric, Target target) {
    return """
    {"type":"Object","object":{"metric":{"name":"%s"},"target":%s,
      "describedObject":{"apiVersion":"%s","kind":"%s","name":"%s"}}}
    """
        .formatted(metric, target.json(), api, kind, name);
  }

  static String external(String metric, String labels, Target target) {
    return """
    {"type":"External","external":{"metric":{"name":"%s","selector":{"matchLabels":{%s}}},
      "target":%s}}
    """
        .formatted(metric, labels, target.json());
  }

  /** What a number is compared with. */
  record Target(String type, String member, String value) {
    static Target value(String value) {
      return new Target("Value", "value", value);
    }

    static Target average(String value) {
      return new Target("AverageValue", "averageValue", value);
    }

    String json() {
      return "{\"type\":\"%s\",\"%s\":\"%s\"}".formatted(type, member, value);
    }
  }
}
