package dev.fallow.core.prune;

import dev.fallow.core.savings.PriceBook;
import java.time.Duration;
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
 * @param longestKeep how long people may keep a workload through Fallow; who writes a longer one by
 *     hand is heeded, and it is said
 * @param prices by which the greatest waste is found
 * @param notice what owners are owed before; absent where there is no channel to tell them
 */
public record PrunePolicy(
    Set<PausableKind> kinds,
    Optional<Predicate<String>> namespaces,
    Optional<Predicate<String>> models,
    Predicate<String> excluded,
    Limits limits,
    Duration longestKeep,
    PriceBook prices,
    Optional<NoticeGiven> notice) {

  public static final PrunePolicy DEFAULT =
      new PrunePolicy(
          PausableKind.ofLetters(PausableKind.DEFAULT_LETTERS),
          Optional.empty(),
          Optional.empty(),
          namespace -> false,
          Limits.NONE,
          Duration.ofDays(7),
          PriceBook.standard(),
          Optional.empty());

  /** The same with owners told before. */
  public PrunePolicy telling(NoticeGiven given) {
    return new PrunePolicy(
        kinds, namespaces, models, excluded, limits, longestKeep, prices, Optional.of(given));
  }

  /** The same with prices of one's own. */
  public PrunePolicy pricedBy(PriceBook own) {
    return new PrunePolicy(kinds, namespaces, models, excluded, limits, longestKeep, own, notice);
  }

  public PrunePolicy {
    kinds = kinds.isEmpty() ? Set.of() : Set.copyOf(EnumSet.copyOf(kinds));
  }
}
