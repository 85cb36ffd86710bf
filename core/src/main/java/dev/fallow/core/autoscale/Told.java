package dev.fallow.core.autoscale;

import dev.fallow.core.idle.SeriesLabels.PodName;
import dev.fallow.core.idle.UsageSeries;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One thing that a program tells of itself, by all who scraped it: two jobs, or two servers, that
 * look at the same port of a pod see the same program. Which of them is taken is for {@link Line}
 * to say.
 *
 * @param labels those that all of its series have, without who looked
 */
record Told(Map<String, String> labels, List<UsageSeries> series) {

  private static final String INSTANCE = "instance";
  private static final String CONTAINER = "container";

  private static final Pattern PORT = Pattern.compile(":(\\d+)(/.*)?$");

  /** What listens on a port of a pod. */
  private record Program(PodName pod, String port) {}

  /**
   * Each thing once. Two series of different looks at a program are one thing if they agree in all
   * labels that every look gives: a job may put labels of its own beside those of the program.
   * Within one look every series is a thing of its own, such as one of several models or engines.
   *
   * @param all of pods, by what was scraped
   */
  static List<Told> of(List<UsageSeries> all) {
    Map<PodName, Set<String>> ports = new HashMap<>();
    for (UsageSeries one : all) {
      ports.computeIfAbsent(one.labels().plain(), pod -> new HashSet<>()).add(port(one));
    }
    Map<Program, Map<Map<String, String>, List<UsageSeries>>> programs = new LinkedHashMap<>();
    for (UsageSeries one : all) {
      PodName pod = one.labels().plain();
      Program program = new Program(pod, portAmong(ports.getOrDefault(pod, Set.of()), one));
      programs
          .computeIfAbsent(program, key -> new LinkedHashMap<>())
          .computeIfAbsent(look(one), key -> new ArrayList<>(1))
          .add(one);
    }
    List<Told> told = new ArrayList<>();
    programs.forEach((program, looks) -> told.addAll(things(program, looks.values())));
    return told;
  }

  /** The port that was scraped; empty where the instance is called by another name. */
  static String port(UsageSeries series) {
    Matcher port = PORT.matcher(series.all().getOrDefault(INSTANCE, ""));
    return port.find() ? port.group(1) : "";
  }

  /** A look that does not tell its port is one at the only port that others tell. */
  private static String portAmong(Set<String> ports, UsageSeries series) {
    String port = port(series);
    return port.isEmpty() && ports.size() == 2 ? String.join("", ports) : port;
  }

  private static Map<String, String> look(UsageSeries series) {
    Map<String, String> look = new HashMap<>(series.all());
    look.keySet().removeIf(label -> !ofTheLook(label) && !label.equals(CONTAINER));
    return look;
  }

  private static List<Told> things(Program program, Collection<List<UsageSeries>> looks) {
    Set<String> names = new HashSet<>();
    looks.forEach(look -> names.addAll(namesIn(look)));
    Set<String> inEach = new HashSet<>(names);
    looks.forEach(look -> inEach.retainAll(namesIn(look)));
    if (!program.port().isEmpty()) {
      // Containers share the ports of their pod: to which a job counts one does not matter.
      names.remove(CONTAINER);
      inEach.remove(CONTAINER);
    }
    boolean tellApart =
        looks.stream()
            .allMatch(look ->
                look.stream().map(one -> part(one, inEach)).distinct().count() == look.size());
    Map<Map<String, String>, List<UsageSeries>> things = new LinkedHashMap<>();
    for (List<UsageSeries> look : looks) {
      for (UsageSeries one : look) {
        things
            .computeIfAbsent(part(one, tellApart ? inEach : names), key -> new ArrayList<>(1))
            .add(one);
      }
    }
    return things.values().stream().map(same -> new Told(shown(same), same)).toList();
  }

  private static Set<String> namesIn(List<UsageSeries> look) {
    Set<String> names = new HashSet<>();
    look.forEach(one -> names.addAll(one.all().keySet()));
    names.removeIf(Told::ofTheLook);
    return names;
  }

  private static Map<String, String> part(UsageSeries series, Set<String> names) {
    Map<String, String> part = new HashMap<>(series.all());
    part.keySet().retainAll(names);
    return part;
  }

  private static Map<String, String> shown(List<UsageSeries> same) {
    Map<String, String> labels = new HashMap<>(same.getFirst().all());
    same.forEach(one -> labels.entrySet().retainAll(one.all().entrySet()));
    labels.keySet().removeIf(label -> ofTheLook(label) && !label.equals(INSTANCE));
    return labels;
  }

  /** Labels that tell who looked, and through which door, and not what was seen. */
  private static boolean ofTheLook(String label) {
    return switch (label) {
      case "job", INSTANCE, "service", "endpoint", "prometheus", "replica", "__replica__" -> true;
      default -> label.endsWith("_replica");
    };
  }
}
