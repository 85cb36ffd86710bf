package dev.fallow.core.prune;

/** What came of an attempt to change a workload. */
public sealed interface Outcome {

  String sentence();

  record Done(String sentence) implements Outcome {}

  /** Somebody else's change won, or the object must not be changed. Nothing was changed. */
  record Refused(Refusal refusal) implements Outcome {
    @Override
    public String sentence() {
      return refusal.sentence();
    }
  }

  /**
   * The API server refused, or did not answer.
   *
   * @param unknown whether the change may have been made nevertheless
   */
  record Failed(String sentence, boolean unknown) implements Outcome {}
}
