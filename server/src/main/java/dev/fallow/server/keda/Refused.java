package dev.fallow.server.keda;

/** Why KEDA gets no answer, in a sentence for whoever reads the ScaledObject's events. */
final class Refused extends RuntimeException {

  /** What can be done about it. */
  enum Reason {
    /** The trigger is written wrong: its author mends it. */
    INVALID,

    /** Nothing of it was measured now. */
    NOT_MEASURED,

    /** The source of the numbers is away. */
    AWAY
  }

  private final Reason reason;
  private final String sentence;

  Refused(Reason reason, String sentence) {
    super(sentence, null, false, false);
    this.reason = reason;
    this.sentence = sentence;
  }

  Reason reason() {
    return reason;
  }

  String sentence() {
    return sentence;
  }
}
