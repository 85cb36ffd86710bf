package dev.fallow.server;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Finds who answers a request: the first route that fits. Whoever may GET may ask for the HEAD. */
public record Router(List<Route> routes) implements Handler {

  public Router {
    routes = List.copyOf(routes);
  }

  @Override
  public Reply answer(Request request) {
    TreeSet<String> allowed = new TreeSet<>();
    for (Route route : routes) {
      Optional<Map<String, String>> parameters = route.match(request.path());
      if (parameters.isPresent()) {
        if (route.takes(request.method())) {
          return route.handler().answer(request.withParameters(parameters.get()));
        }
        allowed.add(route.method());
        if (route.method().equals("GET")) {
          allowed.add("HEAD");
        }
      }
    }
    if (allowed.isEmpty()) {
      throw new Rejected(Problem.notFound());
    }
    String methods = String.join(", ", allowed);
    return new Problem(405, "METHOD_NOT_ALLOWED", "this path takes " + methods)
        .reply()
        .with("Allow", methods);
  }
}
