package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.MetricBook.Answer;
import dev.fallow.core.autoscale.MetricBook.OfObject;
import dev.fallow.core.autoscale.MetricBook.OfSeries;
import dev.fallow.core.autoscale.MetricBook.Resource;
import dev.fallow.core.autoscale.MetricBook.Which;
import dev.fallow.core.autoscale.Selector.Operator;
import dev.fallow.core.autoscale.Selector.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Questions as autoscalers put them, and their answers in a form that can be compared. */
final class Asking {

  static final Resource DEPLOYMENTS = new Resource("apps", "deployments");

  private Asking() {}

  static Selector where(String key, String value) {
    return new Selector(List.of(new Requirement(key, Operator.IN, Set.of(value))));
  }

  /** All pods of the namespace that have the metric, and their values. */
  static Map<String, Double> pods(MetricBook book, String metric) {
    return pods(book, metric, Selector.ANY);
  }

  static Map<String, Double> pods(MetricBook book, String metric, Selector ofSamples) {
    return values(
        book.ofObjects(
            Resource.PODS, new Which.Labelled("ml", Selector.ANY), metric, ofSamples, Scene.NOW));
  }

  static Map<String, Double> one(MetricBook book, Resource resource, String name, String metric) {
    return one(book, resource, name, metric, Selector.ANY);
  }

  static Map<String, Double> one(
      MetricBook book, Resource resource, String name, String metric, Selector ofSamples) {
    return values(
        book.ofObjects(resource, new Which.Named("ml", name), metric, ofSamples, Scene.NOW));
  }

  static Map<String, Double> deployment(MetricBook book, String name, String metric) {
    return one(book, DEPLOYMENTS, name, metric);
  }

  private static Map<String, Double> values(Answer<OfObject> answer) {
    Map<String, Double> values = new TreeMap<>();
    if (answer instanceof Answer.Found<OfObject>(List<OfObject> found)) {
      found.forEach(one -> values.put(one.object().name(), rounded(one.value())));
    }
    return values;
  }

  static Map<Map<String, String>, Double> external(
      MetricBook book, String metric, Selector labels) {
    Map<Map<String, String>, Double> values = new java.util.HashMap<>();
    if (book.external("ml", metric, labels, Scene.NOW)
        instanceof Answer.Found<OfSeries>(List<OfSeries> found)) {
      found.forEach(one -> values.put(one.labels(), rounded(one.value())));
    }
    return values;
  }

  static double rounded(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
