package dev.fallow.adapters.prometheus;

import java.io.IOException;

/** An answer that is JSON but not of the form that the query API promises. */
final class MalformedReply extends IOException {

  MalformedReply(String message) {
    super(message);
  }
}
