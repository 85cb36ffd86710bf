package dev.fallow.adapters.scrape;

import org.jspecify.annotations.Nullable;

/** One look at one exporter came to nothing; the message goes after its address. */
final class ScrapeFailure extends Exception {

  ScrapeFailure(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  ScrapeFailure(String message) {
    this(message, null);
  }

  String sentence() {
    return String.valueOf(getMessage());
  }
}
