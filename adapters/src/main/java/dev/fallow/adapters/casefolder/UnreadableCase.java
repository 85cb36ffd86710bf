package dev.fallow.adapters.casefolder;

import org.jspecify.annotations.Nullable;

/** A case folder that cannot be judged; the message names the file and what is wrong with it. */
public final class UnreadableCase extends Exception {
  public UnreadableCase(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  public UnreadableCase(String message) {
    this(message, null);
  }
}
