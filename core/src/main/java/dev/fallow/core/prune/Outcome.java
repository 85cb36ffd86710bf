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
   * @param passing whether it lay at the moment and not at the workload
   */
  record Failed(String sentence, boolean unknown, boolean passing) implements Outcome {
    public Failed(String sentence, boolean unknown) {
      this(sentence, unknown, false);
    }
  }
}
