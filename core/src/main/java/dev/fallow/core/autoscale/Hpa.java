package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.HpaFormula.Tolerance;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.fleet.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * A HorizontalPodAutoscaler of autoscaling/v2, as far as its arithmetic goes.
 *
 * @param scales what it scales, without its UID
 * @param current the replicas that its status tells of
 * @param disabled whether it says itself that it leaves zero replicas alone
 */
public record Hpa(
    String namespace,
    String name,
    ObjectId scales,
    int minReplicas,
    int maxReplicas,
    int current,
    boolean disabled,
    Tolerance tolerance,
    List<Metric> metrics) {

  /** Where a metric comes from. */
  public enum Source {
    PODS,
    OBJECT,
    EXTERNAL,

    /** CPU or memory, which are not answered here. */
    RESOURCE
  }

  /**
   * @param object whose metric it is, for that kind; else what is scaled
   * @param targetType Value, AverageValue or Utilization
   * @param targetMilli in thousandths, where it is given
   */
  public record Metric(
      Source source,
      String name,
      Selector selector,
      ObjectId object,
      String targetType,
      OptionalLong targetMilli) {

    public Metric named(String other) {
      return new Metric(source, other, selector, object, targetType, targetMilli);
    }
  }

  public Hpa {
    metrics = List.copyOf(metrics);
  }

  public static Hpa of(ObjectTree hpa) {
    String namespace = hpa.textOr("", "metadata", "namespace");
    ObjectId scales = reference(hpa.tree("spec", "scaleTargetRef"), namespace);
    List<Metric> metrics = new ArrayList<>();
    for (ObjectTree metric : hpa.list("spec", "metrics")) {
      metrics.add(metric(metric, scales, namespace));
    }
    return new Hpa(
        namespace,
        hpa.textOr("", "metadata", "name"),
        scales,
        (int) hpa.number("spec", "minReplicas").orElse(1),
        (int) hpa.number("spec", "maxReplicas").orElse(1),
        (int) hpa.number("status", "currentReplicas").orElse(0),
        hpa.list("status", "conditions").stream().anyMatch(Hpa::isOff),
        new Tolerance(tolerance(hpa, "scaleUp"), tolerance(hpa, "scaleDown")),
        metrics);
  }

  public Hpa with(List<Metric> others) {
    return new Hpa(
        namespace, name, scales, minReplicas, maxReplicas, current, disabled, tolerance, others);
  }

  /** Whether it scales an object, whichever of that name it is. */
  public boolean aimsAt(ObjectId object) {
    return scales.equals(Numbers.place(object));
  }

  private static boolean isOff(ObjectTree condition) {
    return condition.textOr("", "type").equals("ScalingActive")
        && condition.textOr("", "status").equals("False")
        && condition.textOr("", "reason").equals("ScalingDisabled");
  }

  private static double tolerance(ObjectTree hpa, String direction) {
    OptionalLong milli =
        Quantity.milli(hpa.textOr("100m", "spec", "behavior", direction, "tolerance"));
    return milli.orElse(100) / 1000.0;
  }

  private static Metric metric(ObjectTree metric, ObjectId scales, String namespace) {
    String type = metric.textOr("", "type");
    String key = type.toLowerCase(Locale.ROOT);
    Source source =
        switch (type) {
          case "Pods" -> Source.PODS;
          case "Object" -> Source.OBJECT;
          case "External" -> Source.EXTERNAL;
          default -> Source.RESOURCE;
        };
    ObjectTree part = metric.tree(key);
    ObjectTree target = part.tree("target");
    String targetType = target.textOr("", "type");
    String written =
        targetType.equals("Value") ? target.textOr("", "value") : target.textOr("", "averageValue");
    return new Metric(
        source,
        source == Source.RESOURCE ? part.textOr(type, "name") : part.textOr("", "metric", "name"),
        Selector.of(part.tree("metric", "selector")),
        source == Source.OBJECT ? reference(part.tree("describedObject"), namespace) : scales,
        targetType,
        Quantity.milli(written));
  }

  private static ObjectId reference(ObjectTree reference, String namespace) {
    return new ObjectId(
        ObjectId.groupOf(reference.textOr("", "apiVersion")),
        reference.textOr("", "kind"),
        namespace,
        reference.textOr("", "name"),
        "");
  }
}
