package dev.fallow.server.access;

import dev.fallow.server.Request;
import dev.fallow.server.Route;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Decides who asks and what they may. Each way to sign in is one implementation.
 *
 * <p>All methods may throw {@link dev.fallow.server.Rejected} for who is not let in, and {@link
 * dev.fallow.core.Unavailable} when nobody can be asked.
 */
public interface Door extends Rights {

  /** Who sends a request; {@link Caller#NOBODY} if nothing in it says so. */
  Caller caller(Request request);

  /**
   * Who wants to read. Asked before anything is read for them.
   *
   * @throws dev.fallow.server.Rejected where that takes a name and the request says none
   */
  default Caller reader(Request request) {
    return caller(request);
  }

  /** The namespaces that somebody may see, each asked for once. */
  default Predicate<String> sight(Caller caller) {
    Map<String, Boolean> known = new HashMap<>();
    return namespace -> known.computeIfAbsent(namespace, one -> sees(caller, one));
  }

  /** The ways there are to tell one's name, as the page offers them. */
  List<String> signIn();

  /** The host whose page people sign in at, if one is offered. */
  default Optional<String> issuer() {
    return Optional.empty();
  }

  /** Where one signs in, if that takes a request of its own. */
  default List<Route> routes() {
    return List.of();
  }

  /** Why nobody who comes this way may pause anything by hand, and the cure; empty if they may. */
  default Optional<String> whyNoPause() {
    return Optional.empty();
  }

  /** What somebody without a name has to do before they may change anything. */
  String cure();
}
