package dev.fallow.core.fleet;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whose a workload is: its root says so, else its namespace. The pods are asked only where one is
 * its own root: they are gone while a workload is paused, and what it saves is the same team's.
 *
 * @param byNamespace the teams of those namespaces that have one
 */
public record Teams(Map<String, String> byNamespace) {

  public static final Teams NONE = new Teams(Map.of());

  /** Longer than any label; an annotation may hold a novel. */
  private static final int LONGEST = 100;

  public Teams {
    byNamespace = Map.copyOf(byNamespace);
  }

  public static Teams of(List<NamespaceFacts> namespaces) {
    Map<String, String> teams = new HashMap<>();
    for (NamespaceFacts namespace : namespaces) {
      String team = named(namespace.annotations());
      if (!team.isEmpty()) {
        teams.put(namespace.name(), team);
      }
    }
    return new Teams(teams);
  }

  /** Empty if nobody says. */
  public String of(Workload workload) {
    String own =
        workload
            .rootObject()
            .map(root -> named(root.annotations()))
            .orElseGet(() ->
                workload.pods().stream()
                    .filter(pod -> pod.id().equals(workload.root()))
                    .map(pod -> named(pod.annotations()))
                    .findFirst()
                    .orElse(""));
    return own.isEmpty() ? ofNamespace(workload.namespace()) : own;
  }

  /** The team of an object that bears the mark of a pause. */
  public String of(OwnerObject paused) {
    String own = named(paused.annotations());
    return own.isEmpty() ? ofNamespace(paused.id().namespace()) : own;
  }

  private String ofNamespace(String name) {
    return byNamespace.getOrDefault(name, "");
  }

  private static String named(Map<String, String> annotations) {
    String team = annotations.getOrDefault(Annotations.TEAM, "").strip();
    return team.length() <= LONGEST ? team : team.substring(0, LONGEST);
  }
}
