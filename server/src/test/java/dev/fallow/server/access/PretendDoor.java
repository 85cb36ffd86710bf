package dev.fallow.server.access;

import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Knows people by a header, and what each of them may see and change. */
public final class PretendDoor implements Door {

  /** Everybody may do everything. */
  public static final Door OPEN = new PretendDoor(Map.of("", Set.of("*")), Map.of("", Set.of("*")));

  private final Map<String, Set<String>> sees;
  private final Map<String, Set<String>> changes;

  public PretendDoor(Map<String, Set<String>> sees, Map<String, Set<String>> changes) {
    this.sees = sees;
    this.changes = changes;
  }

  @Override
  public Caller caller(Request request) {
    return request
        .header("X-Name")
        .map(name -> new Caller(name, List.of(), "token", true))
        .orElse(Caller.NOBODY);
  }

  @Override
  public Caller reader(Request request) {
    Caller caller = caller(request);
    if (caller.isNobody() && !sees.containsKey("")) {
      throw new Rejected(new Problem(401, "WHO_ARE_YOU", cure()));
    }
    return caller;
  }

  @Override
  public boolean sees(Caller caller, String namespace) {
    return allowed(sees, caller, namespace);
  }

  @Override
  public boolean changes(Caller caller, String namespace, String kind, String name) {
    return allowed(changes, caller, namespace);
  }

  private static boolean allowed(Map<String, Set<String>> rights, Caller caller, String namespace) {
    Set<String> namespaces = rights.getOrDefault(caller.name(), Set.of());
    return namespaces.contains("*") || namespaces.contains(namespace);
  }

  @Override
  public List<String> signIn() {
    return List.of("token");
  }

  @Override
  public String cure() {
    return "say X-Name";
  }
}
