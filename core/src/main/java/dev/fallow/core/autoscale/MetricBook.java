package dev.fallow.core.autoscale;

import dev.fallow.core.fleet.ObjectId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The numbers that autoscalers may read. A number that was not measured is not in it: an autoscaler
 * that finds nothing holds, one that finds a zero scales down.
 */
public interface MetricBook {

  /** A kind of object as paths name it: {@code deployments} of {@code apps}. */
  record Resource(String group, String plural) {
    public static final Resource PODS = new Resource("", "pods");
    public static final Resource SERVICES = new Resource("", "services");
    public static final Resource NODES = new Resource("", "nodes");
    public static final Resource NAMESPACES = new Resource("", "namespaces");
  }

  /** A metric that objects of one kind have, as discovery lists it. */
  record Listed(Resource resource, boolean namespaced, String metric) {}

  /** Which objects are asked for: one by its name, or those whose labels fit. */
  sealed interface Which {

    /** Empty for objects of the cluster. */
    String namespace();

    record Named(String namespace, String name) implements Which {}

    record Labelled(String namespace, Selector labels) implements Which {}
  }

  /**
   * One object's number.
   *
   * @param at when the newest sample in it was taken
   * @param window the time its samples span; zero for a single sample
   */
  record OfObject(ObjectId object, String apiVersion, double value, Instant at, Duration window) {}

  /** One number that belongs to no object, with the labels that tell it apart. */
  record OfSeries(Map<String, String> labels, double value, Instant at, Duration window) {
    public OfSeries {
      labels = Map.copyOf(labels);
    }
  }

  /** An answer to a question for numbers. */
  sealed interface Answer<T> {

    /** What was measured; objects that were not are absent. Never empty. */
    record Found<T>(List<T> values) implements Answer<T> {
      public Found {
        values = List.copyOf(values);
      }
    }

    /** There is no such number now; asking again later may find one. */
    record NotFound<T>(String why) implements Answer<T> {}

    /** The source of numbers is away. */
    record Away<T>(String why) implements Answer<T> {}
  }

  /** Every custom metric that could be answered now. */
  List<Listed> listed();

  /** The metric of objects, each by itself; only samples that fit the selector count. */
  Answer<OfObject> ofObjects(
      Resource resource, Which which, String metric, Selector ofSamples, Instant now);

  /** Every external metric that could be answered now. */
  Set<String> externals();

  Answer<OfSeries> external(String namespace, String metric, Selector labels, Instant now);

  /**
   * Whether a name is ours, measured now or not. Nobody else is asked for such a number: whoever
   * had the API before might know a zero where we know that nothing was measured.
   */
  default boolean owns(String metric) {
    return externals().contains(metric)
        || listed().stream().anyMatch(one -> one.metric().equals(metric));
  }
}
