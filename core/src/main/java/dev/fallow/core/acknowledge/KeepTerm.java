package dev.fallow.core.acknowledge;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long somebody wishes a workload to be kept.
 *
 * @param length from now on, at least; a keep that ends later stays
 * @param until the very end, which may be sooner than that of a keep that stands
 */
public record KeepTerm(Optional<Duration> length, Optional<Instant> until) {

  public KeepTerm {
    if (length.isPresent() == until.isPresent()) {
      throw new IllegalArgumentException("a keep has a length or an end");
    }
  }

  public static KeepTerm atLeast(Duration length) {
    return new KeepTerm(Optional.of(length), Optional.empty());
  }

  public static KeepTerm until(Instant end) {
    return new KeepTerm(Optional.empty(), Optional.of(end));
  }

  public Instant end(Instant now) {
    return until.orElseGet(() -> now.plus(length.orElseThrow()));
  }

  /** What is to stand: the keep that is wished for, or the one there is if that is not enough. */
  public Keep over(Optional<Keep> standing, Keep wished) {
    return standing
        .filter(one -> length.isPresent() && one.until().isAfter(wished.until()))
        .orElse(wished);
  }
}
