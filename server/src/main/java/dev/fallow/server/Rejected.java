package dev.fallow.server;

import java.util.Set;
import java.util.TreeSet;

/** A request that cannot be answered as it was made; whoever sent it is told why. */
public final class Rejected extends RuntimeException {

  private final transient Problem problem;

  public Rejected(Problem problem) {
    super(problem.detail());
    this.problem = problem;
  }

  /** For a parameter of the query or the path; the detail names it. */
  public static Rejected parameter(String name, String wrong) {
    return new Rejected(new Problem(400, "BAD_PARAMETER", name + ": " + wrong));
  }

  /** For a name that nobody knows; what may be said instead is named. */
  static Rejected unknown(String name, Set<String> known) {
    return parameter(
        name.length() <= 40 ? name : name.substring(0, 40) + "…",
        known.isEmpty()
            ? "is not known here; nothing is expected"
            : "is not known here; there are " + String.join(", ", new TreeSet<>(known)));
  }

  public Problem problem() {
    return problem;
  }
}
