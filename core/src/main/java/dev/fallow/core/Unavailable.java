package dev.fallow.core;

import org.jspecify.annotations.Nullable;

/**
 * The outside world failed: Prometheus, the API server, an exporter. Its message says to a person
 * what failed and what to do about it.
 */
public final class Unavailable extends RuntimeException {

  private final String source;
  private final boolean retryable;

  public Unavailable(String source, String message, boolean retryable, @Nullable Throwable cause) {
    super(message, cause);
    this.source = source;
    this.retryable = retryable;
  }

  public Unavailable(String source, String message, boolean retryable) {
    this(source, message, retryable, null);
  }

  /** What failed: {@code prometheus}, {@code kubernetes}, {@code exporter}, {@code case}. */
  public String source() {
    return source;
  }

  /** Whether trying again can help. */
  public boolean retryable() {
    return retryable;
  }
}
