package dev.fallow.core.prune;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What the operator allows.
 *
 * @param namespaces the namespaces looked at; absent means all
 * @param models the GPU models looked at; absent means all
 * @param excluded namespaces never touched
 */
public record PrunePolicy(
    Set<PausableKind> kinds,
    Optional<Predicate<String>> namespaces,
    Optional<Predicate<String>> models,
    Predicate<String> excluded,
    Limits limits) {

  public static final PrunePolicy DEFAULT =
      new PrunePolicy(
          PausableKind.ofLetters(PausableKind.DEFAULT_LETTERS),
          Optional.empty(),
          Optional.empty(),
          namespace -> false,
          Limits.NONE);

  public PrunePolicy {
    kinds = kinds.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(kinds));
  }
}
