package dev.fallow.server;

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

  public Problem problem() {
    return problem;
  }
}
