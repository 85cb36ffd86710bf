package dev.fallow.server.access;

import java.util.List;
import java.util.Map;

/**
 * Who asks.
 *
 * @param name as the cluster knows them, or as they say themselves
 * @param groups that the cluster counts them among
 * @param by how the name is known: {@code none}, {@code token}, {@code proxy}, {@code oidc}, {@code
 *     email}
 * @param verified whether somebody vouches for the name
 * @param uid as the cluster knows it, if it does
 * @param extra what the cluster's authorizers know besides, by which some narrow rights
 */
public record Caller(
    String name,
    List<String> groups,
    String by,
    boolean verified,
    String uid,
    Map<String, List<String>> extra) {

  public Caller(String name, List<String> groups, String by, boolean verified) {
    this(name, groups, by, verified, "", Map.of());
  }

  /** The group of everybody whom the cluster, or somebody it trusts, has signed in. */
  public static final String AUTHENTICATED = "system:authenticated";

  /** Somebody without a name. */
  public static final Caller NOBODY = new Caller("", List.of(), "none", false);

  public Caller {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }

  public boolean isNobody() {
    return name.isEmpty();
  }
}
