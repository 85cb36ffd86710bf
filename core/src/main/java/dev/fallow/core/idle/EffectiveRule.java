package dev.fallow.core.idle;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.Workload;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The rule as one workload has it. A namespace may lengthen or shorten the window by its {@code
 * idle-window}; anything on the owner chain may only lengthen it.
 *
 * @param unreadable an idle-window that cannot be read: the rule stands, and nothing is paused
 */
public record EffectiveRule(IdleRule rule, Optional<String> unreadable) {

  public static EffectiveRule of(
      IdleRule general, Workload workload, Map<String, NamespaceFacts> namespaces) {
    EffectiveRule effective = new EffectiveRule(general, Optional.empty());
    NamespaceFacts namespace = namespaces.get(workload.namespace());
    if (namespace != null) {
      effective = effective.apply(namespace.annotations(), "namespace " + namespace.name(), false);
    }
    for (Workload.Wish wish : (Iterable<Workload.Wish>) workload.wishes()::iterator) {
      effective = effective.apply(wish.annotations(), wish.on().toString(), true);
    }
    return effective;
  }

  /** The shortest window that any of the workloads is judged by, or the general one. */
  static Duration shortestWindow(
      IdleRule general, Stream<Workload> workloads, Map<String, NamespaceFacts> namespaces) {
    return workloads
        .map(workload -> of(general, workload, namespaces).rule().window())
        .filter(window -> window.compareTo(general.window()) < 0)
        .min(Duration::compareTo)
        .orElse(general.window());
  }

  private EffectiveRule apply(Map<String, String> annotations, String where, boolean onlyLonger) {
    String text = annotations.get(Annotations.IDLE_WINDOW);
    if (text == null) {
      return this;
    }
    Optional<Duration> window = Durations.parse(text);
    if (window.isEmpty()) {
      return new EffectiveRule(
          rule,
          Optional.of(
              "the idle-window \"" + abridged(text) + "\" on " + where + " cannot be read"));
    }
    boolean counts = !onlyLonger || window.get().compareTo(rule.window()) > 0;
    return counts ? new EffectiveRule(rule.withWindow(window.get()), unreadable) : this;
  }

  private static String abridged(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
