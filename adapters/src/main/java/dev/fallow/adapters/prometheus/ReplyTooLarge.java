package dev.fallow.adapters.prometheus;

import java.io.IOException;

/** An answer went beyond one of the {@link ReadLimits}; the message says which. */
final class ReplyTooLarge extends IOException {

  ReplyTooLarge(String message) {
    super(message);
  }
}
