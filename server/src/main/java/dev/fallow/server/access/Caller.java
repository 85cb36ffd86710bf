package dev.fallow.server.access;

import java.util.List;

/**
 * Who asks.
 *
 * @param name as the cluster knows them, or as they say themselves
 * @param groups that the cluster counts them among
 * @param by how the name is known: {@code none}, {@code token}, {@code proxy}, {@code oidc}, {@code
 *     email}
 * @param verified whether somebody vouches for the name
 */
public record Caller(String name, List<String> groups, String by, boolean verified) {

  /** Somebody without a name. */
  public static final Caller NOBODY = new Caller("", List.of(), "none", false);

  public Caller {
    groups = List.copyOf(groups);
  }

  public boolean isNobody() {
    return name.isEmpty();
  }
}
