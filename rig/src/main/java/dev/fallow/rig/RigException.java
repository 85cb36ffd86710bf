package dev.fallow.rig;

/** The rig itself failed, not what it tests. */
public final class RigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public RigException(String message) {
    super(message);
  }

  public RigException(String message, Throwable cause) {
    super(message, cause);
  }
}
