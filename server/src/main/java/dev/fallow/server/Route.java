package dev.fallow.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A method and a path, and who answers there.
 *
 * @param pattern the path's segments; one in braces is a parameter that takes any text but none
 */
public record Route(String method, List<String> pattern, Handler handler) {

  /**
   * @param path such as {@code /api/v1/workloads/{namespace}/{kind}/{name}}
   */
  public static Route of(String method, String path, Handler handler) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException(path + " does not begin with a slash");
    }
    return new Route(method, List.of(path.substring(1).split("/", -1)), handler);
  }

  public static Route get(String path, Handler handler) {
    return of("GET", path, handler);
  }

  /** The parameters in a path, if it is one of this route. */
  Optional<Map<String, String>> match(List<String> path) {
    if (path.size() != pattern.size()) {
      return Optional.empty();
    }
    Map<String, String> parameters = new HashMap<>();
    for (int i = 0; i < path.size(); i++) {
      String expected = pattern.get(i);
      String actual = path.get(i);
      if (expected.startsWith("{") && expected.endsWith("}")) {
        if (actual.isEmpty()) {
          return Optional.empty();
        }
        parameters.put(expected.substring(1, expected.length() - 1), actual);
      } else if (!expected.equals(actual)) {
        return Optional.empty();
      }
    }
    return Optional.of(parameters);
  }

  boolean takes(String asked) {
    return method.equals(asked) || (method.equals("GET") && asked.equals("HEAD"));
  }
}
