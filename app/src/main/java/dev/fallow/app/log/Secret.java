package dev.fallow.app.log;

/** A text that may be used and not be shown: wherever it is turned into text, stars come out. */
public final class Secret {

  private final String value;

  public Secret(String value) {
    this.value = value;
  }

  /** The secret itself, for who has to send it. */
  public String reveal() {
    return value;
  }

  @Override
  public String toString() {
    return "***";
  }
}
