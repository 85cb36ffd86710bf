package dev.fallow.adapters.prometheus;

import java.io.IOException;

/** An answer that is not JSON in UTF-8; the message says what stands in it instead. */
final class NotJson extends IOException {

  NotJson(String message) {
    super(message);
  }
}
