package dev.fallow.server.keda;

import dev.fallow.core.autoscale.MetricBook.Resource;
import dev.fallow.core.autoscale.Selector;
import dev.fallow.core.autoscale.SelectorText;
import dev.fallow.core.autoscale.SelectorText.Parsed;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a trigger's metadata asks for. The namespace is the ScaledObject's and nothing else: its
 * author may have no right to read another's numbers, and KEDA does not say who the author is.
 *
 * @param of whose number it is
 * @param selector which samples count, or which numbers
 * @param target above 0
 * @param activation a number above it means that there is work
 */
record ScaleQuestion(
    String namespace, String metric, Of of, Selector selector, double target, double activation) {

  /** Whose number it is. */
  sealed interface Of {

    record Named(Resource resource, String name) implements Of {}

    record TheNamespace() implements Of {}

    /** Those that belong to no object, added up as an autoscaler does. */
    record Externals() implements Of {}
  }

  private static final List<String> KEYS =
      List.of(
          "metricName", "kind", "name", "namespace", "targetValue", "activationValue", "selector");

  private static final int LONGEST = 300;
  private static final String NAMESPACE = "Namespace";
  private static final String EXTERNAL = "External";

  /** Kinds that need no group to be known by. */
  private static final Map<String, Resource> KINDS =
      Map.of(
          "Deployment", new Resource("apps", "deployments"),
          "StatefulSet", new Resource("apps", "statefulsets"),
          "ReplicaSet", new Resource("apps", "replicasets"),
          "Job", new Resource("batch", "jobs"),
          "Pod", Resource.PODS,
          "Service", Resource.SERVICES,
          "Notebook", new Resource("kubeflow.org", "notebooks"),
          "InferenceService", new Resource("serving.kserve.io", "inferenceservices"),
          "LeaderWorkerSet", new Resource("leaderworkerset.x-k8s.io", "leaderworkersets"));

  /**
   * @throws Refused naming the key and the cure
   */
  static ScaleQuestion of(ScaledObject asked) {
    Map<String, String> metadata = asked.metadata();
    for (String key : metadata.keySet()) {
      KEYS.stream()
          .filter(known -> known.equalsIgnoreCase(key) && !known.equals(key))
          .findFirst()
          .ifPresent(known -> {
            throw invalid(key, "is not known; write it " + known);
          });
    }
    if (asked.namespace().isEmpty()) {
      throw invalid("namespace", "of the ScaledObject is not in the request");
    }
    text(metadata, "namespace")
        .filter(other -> !other.equals(asked.namespace()))
        .ifPresent(other -> {
          throw invalid(
              "namespace",
              "cannot be another than the ScaledObject's own, which is "
                  + asked.namespace()
                  + "; leave it out");
        });
    return new ScaleQuestion(
        asked.namespace(),
        text(metadata, "metricName")
            .orElseThrow(() -> invalid("metricName", "is missing; write gpu_utilization")),
        of(metadata),
        selector(metadata),
        target(metadata),
        number(metadata, "activationValue").orElse(0.0));
  }

  private static Of of(Map<String, String> metadata) {
    String kind = text(metadata, "kind").orElse("Deployment");
    Optional<String> name = text(metadata, "name");
    if (kind.equals(NAMESPACE) || kind.equals(EXTERNAL)) {
      if (name.isPresent()) {
        throw invalid("name", "means nothing with the kind " + kind + "; leave it out");
      }
      return kind.equals(EXTERNAL) ? new Of.Externals() : new Of.TheNamespace();
    }
    return new Of.Named(
        resource(kind),
        name.orElseThrow(() ->
            invalid("name", "is missing; write the name of the " + kind + " that is scaled")));
  }

  private static Resource resource(String kind) {
    Resource known = KINDS.get(kind);
    if (known != null) {
      return known;
    }
    int dot = kind.indexOf('.');
    if (dot < 1 || dot == kind.length() - 1 || !kind.matches("[a-z0-9.-]+")) {
      throw invalid(
          "kind",
          "is not one that is known by its name alone; write it as the metrics API does, such as"
              + " rollouts.argoproj.io");
    }
    return new Resource(kind.substring(dot + 1), kind.substring(0, dot));
  }

  private static Selector selector(Map<String, String> metadata) {
    return switch (SelectorText.parse(metadata.getOrDefault("selector", ""))) {
      case Parsed.Read read -> read.selector();
      case Parsed.Unreadable unreadable ->
          throw invalid("selector", "cannot be read: " + unreadable.why());
    };
  }

  private static double target(Map<String, String> metadata) {
    double target =
        number(metadata, "targetValue")
            .orElseThrow(() -> invalid("targetValue", "is missing; write a number, such as 60"));
    // KEDA counts in thousandths, and divides by it.
    if (target < 0.001) {
      throw invalid("targetValue", "has to be 0.001 or more");
    }
    return target;
  }

  private static Optional<Double> number(Map<String, String> metadata, String key) {
    return text(metadata, key)
        .map(written -> {
          if (!written.matches("[0-9]{1,15}(\\.[0-9]{1,15})?")) {
            throw invalid(key, "has to be a number, such as 60 or 2.5");
          }
          return Double.valueOf(written);
        });
  }

  private static Optional<String> text(Map<String, String> metadata, String key) {
    Optional<String> written =
        Optional.ofNullable(metadata.get(key)).map(String::strip).filter(text -> !text.isEmpty());
    if (written.isPresent() && written.get().length() > LONGEST) {
      throw invalid(key, "has more than " + LONGEST + " characters");
    }
    return written;
  }

  private static Refused invalid(String key, String what) {
    return new Refused(Refused.Reason.INVALID, "the trigger's metadata: " + key + " " + what);
  }

  /** The name as KEDA spells names in the HPAs it makes, where it is a part of a path. */
  String spelled() {
    return metric.replaceAll("[^A-Za-z0-9_-]", "-");
  }
}
