package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;

/**
 * The API server answered, but not with what was asked for. Inside this package only: a caller
 * either can do without, or turns it into what people read.
 */
final class ApiRefusal extends RuntimeException {

  private final int status;

  /**
   * @param message the server's own words
   */
  ApiRefusal(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }

  /** Whether the account lacks a right. */
  boolean forbidden() {
    return status == 403;
  }

  /** Whether the kind or the object does not exist. */
  boolean missing() {
    return status == 404 || status == 405;
  }

  /** Whether what was asked for is too old to be told: a page, a change. */
  boolean expired() {
    return status == 410;
  }

  /** Whether it is about the account or the server's state, and not about what was asked for. */
  boolean passes() {
    return status == 401 || status == 410 || status == 429 || status >= 500;
  }

  Unavailable unavailable() {
    return ApiProblem.refused(this);
  }
}
