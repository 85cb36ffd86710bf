package dev.fallow.core.autoscale;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What else autoscalers name: services, and kinds as the API server spells them in paths.
 *
 * @param kinds those that own pods, where the server has said how it spells them
 */
public record Surroundings(List<ServiceFacts> services, List<KindName> kinds) {

  public static final Surroundings NONE = new Surroundings(List.of(), List.of());

  /** A service and the labels of the pods behind it; it chooses none if it has no selector. */
  public record ServiceFacts(String namespace, String name, Map<String, String> selector) {
    public ServiceFacts {
      selector = Map.copyOf(selector);
    }

    boolean chooses(Map<String, String> labels) {
      return !selector.isEmpty() && labels.entrySet().containsAll(selector.entrySet());
    }
  }

  /**
   * @param apiVersion such as {@code apps/v1}
   * @param plural its name in paths
   */
  public record KindName(String apiVersion, String kind, String plural) {

    String group() {
      int slash = apiVersion.indexOf('/');
      return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
  }

  private static final Map<String, String> USUAL_VERSIONS =
      Map.of("", "v1", "apps", "apps/v1", "batch", "batch/v1");

  public Surroundings {
    services = List.copyOf(services);
    kinds = List.copyOf(kinds);
  }

  /** How a kind is spelled: as the server said, else as Kubernetes itself guesses it. */
  KindName nameOf(String group, String kind) {
    return kinds.stream()
        .filter(one -> one.kind().equals(kind) && one.group().equals(group))
        .findFirst()
        .orElseGet(() -> guessed(group, kind));
  }

  private static KindName guessed(String group, String kind) {
    String lower = kind.toLowerCase(Locale.ROOT);
    String plural;
    if (lower.endsWith("s")) {
      plural = lower + "es";
    } else if (lower.endsWith("y")) {
      plural = lower.substring(0, lower.length() - 1) + "ies";
    } else {
      plural = lower + "s";
    }
    return new KindName(USUAL_VERSIONS.getOrDefault(group, group + "/v1"), kind, plural);
  }

  Map<MetricBook.Resource, KindName> byResource(Iterable<KindName> present) {
    Map<MetricBook.Resource, KindName> names = new HashMap<>();
    present.forEach(one -> names.put(new MetricBook.Resource(one.group(), one.plural()), one));
    return names;
  }
}
