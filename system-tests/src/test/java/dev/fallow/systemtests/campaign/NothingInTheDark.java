package dev.fallow.systemtests.campaign;

import java.util.ArrayList;
import java.util.List;

/** I8: nothing is paused while the evidence is not to be trusted. */
record NothingInTheDark() implements Invariant {
  @Override
  public String name() {
    return "I8";
  }

  @Override
  public List<Violation> violations(Story story) {
    List<Violation> violations = new ArrayList<>();
    for (Darkness darkness : story.evidence().dark()) {
      // What was seen just before may still be acted on.
      Span forbidden =
          new Span(darkness.span().from().plus(story.settings().reaction()), darkness.span().to());
      story.lowerings().stream()
          .filter(lowering -> forbidden.contains(lowering.write().received()))
          .forEach(lowering ->
              violations.add(
                  violation(
                      lowering.object(),
                      "paused while %s, since %s".formatted(darkness.why(), darkness.span().from()),
                      lowering)));
    }
    return violations;
  }
}
