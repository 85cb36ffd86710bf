package dev.fallow.server.metricsapi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who asks, with all that the cluster's authorizers may look at.
 *
 * @param extra what whoever signed them in added; some authorizers narrow rights by it
 */
public record Subject(
    String name, String uid, List<String> groups, Map<String, List<String>> extra) {

  static final String MASTERS = "system:masters";
  private static final String ANONYMOUS = "system:anonymous";
  private static final String AUTHENTICATED = "system:authenticated";
  private static final String UNAUTHENTICATED = "system:unauthenticated";

  public Subject {
    groups = List.copyOf(groups);
    Map<String, List<String>> copy = new LinkedHashMap<>();
    extra.forEach((key, values) -> copy.put(key, List.copyOf(values)));
    extra = Map.copyOf(copy);
  }

  /**
   * The same, among those who have signed in: the aggregator asks for discovery with a name and no
   * group, and that right belongs to this group.
   */
  Subject signedIn() {
    if (name.equals(ANONYMOUS)
        || groups.contains(AUTHENTICATED)
        || groups.contains(UNAUTHENTICATED)) {
      return this;
    }
    List<String> more = new ArrayList<>(groups);
    more.add(AUTHENTICATED);
    return new Subject(name, uid, more, extra);
  }
}
