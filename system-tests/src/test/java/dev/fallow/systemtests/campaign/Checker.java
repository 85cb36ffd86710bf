package dev.fallow.systemtests.campaign;

import java.util.List;

/**
 * Finds broken promises in what a run has left behind. It believes the API server's audit log and
 * the ground truth, and knows of the product only its user's name and the names it has published.
 */
public final class Checker {
  private static final List<Invariant> INVARIANTS =
      List.of(
          new IdleWhenPaused(),
          new Recoverable(),
          new OneRecordEach(),
          new KeepsBind(),
          new WithinBudget(),
          new EpochsNeverFall(),
          new OnlyWhatMayBeTouched(),
          new NothingInTheDark(),
          new FixedPoint(),
          new WorkResumes(),
          new PeopleWin(),
          new ResumesExactly());

  private final RunSettings settings;

  public Checker(RunSettings settings) {
    this.settings = settings;
  }

  /**
   * What was found.
   *
   * @param unproven what the log does not suffice to judge, one sentence each
   * @param pauses how many there were: a run without any proves little
   */
  public record Findings(
      List<Violation> violations, List<String> unproven, int pauses, int resumes) {
    public boolean clean() {
      return violations.isEmpty();
    }
  }

  public Findings check(Evidence evidence) {
    Story story = new Story(settings, evidence);
    List<Violation> violations =
        INVARIANTS.stream().flatMap(invariant -> invariant.violations(story).stream()).toList();
    return new Findings(
        violations, story.unproven(), story.lowerings().size(), story.resumes().size());
  }
}
