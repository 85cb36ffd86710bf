package dev.fallow.app.web;

import dev.fallow.server.Request;
import java.util.Arrays;
import java.util.Optional;

/** The cookies that a browser sends along. */
final class Cookies {

  private Cookies() {}

  /** Of several with one name the first, which is the one of the nearest place. */
  static Optional<String> value(Request request, String name) {
    return request.headerAll("Cookie").stream()
        .flatMap(header -> Arrays.stream(header.split(";")))
        .map(String::strip)
        .filter(cookie -> cookie.startsWith(name + "="))
        .map(cookie -> cookie.substring(name.length() + 1))
        .findFirst();
  }
}
