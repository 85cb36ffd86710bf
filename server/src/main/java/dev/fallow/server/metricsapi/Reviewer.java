package dev.fallow.server.metricsapi;

import java.util.Optional;

/**
 * Whoever knows the cluster's people and rights.
 *
 * <p>Both may throw {@link dev.fallow.core.Unavailable} when nobody can be asked.
 */
public interface Reviewer {

  /** Whose token it is, if the cluster takes it. */
  Optional<Subject> holderOf(String token);

  boolean may(Subject who, Access what);
}
