package dev.fallow.app;

/** How a command ends. */
public final class ExitCode {

  public static final int DONE = 0;

  /** Done, and something needs a person. */
  public static final int ATTENTION = 1;

  public static final int WRONG_USE = 2;

  /** The outside world failed. */
  public static final int UNAVAILABLE = 3;

  /** A bug of ours. */
  public static final int DEFECT = 70;

  private ExitCode() {}
}
