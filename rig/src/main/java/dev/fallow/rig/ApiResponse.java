package dev.fallow.rig;

/** An HTTP answer: nothing is an error until {@link #orThrow} says so. */
public record ApiResponse(int status, String body) {
  public boolean ok() {
    return status / 100 == 2;
  }

  public Json json() {
    return Json.parse(body);
  }

  /** This answer if it is a good one; otherwise an exception with its text. */
  public ApiResponse orThrow() {
    if (!ok()) {
      throw new RigException("HTTP status " + status + ": " + body);
    }
    return this;
  }
}
