package dev.fallow.core.idle;

import dev.fallow.core.fleet.GpuPod;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

/** The stretch of time (after, until] that is judged, in milliseconds. */
public record Window(long after, long until) {

  public Window {
    if (after >= until) {
      throw new IllegalArgumentException("an empty window: " + after + " to " + until);
    }
  }

  public static Window endingAt(Instant at, Duration length) {
    long until = at.toEpochMilli();
    return new Window(until - Math.max(1, length.toMillis()), until);
  }

  public long length() {
    return until - after;
  }

  /** The part of it in which a pod answers for what its devices did; nothing if there is none. */
  public Window within(long start, long end) {
    long from = Math.max(after, start);
    long to = Math.min(until, end);
    return from < to ? new Window(from, to) : new Window(from, from + 1);
  }

  /** The part of it in which a pod's devices speak for it: labels of before are another's. */
  public Window of(GpuPod pod) {
    long end =
        pod.live() ? Long.MAX_VALUE : pod.ended().map(Instant::toEpochMilli).orElse(Long.MAX_VALUE);
    return within(startOf(pod), end);
  }

  /**
   * A live pod speaks since its container started last; it is judged anew from then on. Of one that
   * is over nothing is judged any more, so what it did before a restart testifies, too.
   */
  static long startOf(GpuPod pod) {
    Optional<Instant> began = pod.live() ? Optional.empty() : pod.bound().or(pod::created);
    return Stream.concat(pod.started().stream(), began.stream())
        .mapToLong(Instant::toEpochMilli)
        .min()
        .orElse(Long.MIN_VALUE);
  }
}
