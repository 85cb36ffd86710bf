package dev.fallow.core.acknowledge;

import dev.fallow.core.idle.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * What may be asked for here. What a person writes on an object by hand binds without it.
 *
 * @param longest how long one keep may last
 */
public record KeepRules(Duration longest) {

  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final int LONGEST_REASON = 300;

  /** What is wrong with a wish; nothing if it can be granted. */
  public Optional<String> problem(Duration length, String reason) {
    if (length.compareTo(SHORTEST) < 0) {
      return Optional.of("a keep lasts at least " + Durations.format(SHORTEST));
    }
    if (length.compareTo(longest) > 0) {
      return Optional.of(
          "a keep lasts at most "
              + Durations.format(longest)
              + "; ask for less, or have the workload exempted");
    }
    if (reason.length() > LONGEST_REASON) {
      return Optional.of("a reason has at most " + LONGEST_REASON + " characters");
    }
    if (reason.chars().anyMatch(Character::isISOControl)) {
      return Optional.of("a reason is one line of text");
    }
    return Optional.empty();
  }
}
