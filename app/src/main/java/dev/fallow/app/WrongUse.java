package dev.fallow.app;

/** The program was called or configured wrongly; the message names the flag and the cure. */
public final class WrongUse extends RuntimeException {
  public WrongUse(String message) {
    super(message);
  }
}
