package dev.fallow.core.autoscale;

import dev.fallow.core.Unavailable;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** Where the samples of the last minutes come from, one feed at a time. */
public interface SampleSource {

  /** How far back samples are given: the longest window that can be asked for, and a little. */
  Duration WINDOW = Duration.ofMinutes(6);

  /**
   * The series of a feed with their samples in (at − {@link #WINDOW}, at] and all their labels;
   * none if nobody publishes it. A source that has to look first answers for a little later.
   *
   * @throws Unavailable if the source does not answer
   */
  Readings.Seen read(Feed feed, Instant at);

  /**
   * The families of GPUs and of programs that serve models that somebody publishes now.
   *
   * @throws Unavailable if the source does not answer
   */
  Set<String> names(Instant at);
}
