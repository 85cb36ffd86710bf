package dev.fallow.core.exposition;

/** Text that is not what its format says; the message names the place. */
public final class MalformedText extends Exception {
  public MalformedText(String message) {
    super(message);
  }
}
