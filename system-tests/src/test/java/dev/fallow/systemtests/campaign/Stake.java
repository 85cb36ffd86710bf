package dev.fallow.systemtests.campaign;

import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import java.util.stream.Stream;

/**
 * A workload that users race for.
 *
 * @param path where it is
 * @param marks where the product's marks of it are: on it, or on what is kept beside it
 * @param lever what switches it: itself, or what scales it
 * @param on a merge patch of the lever that lets so many replicas run, where the kind has any
 * @param manifest what it was made from
 * @param keep keeps it for so many seconds; whether that was accepted
 */
public record Stake(
    String path,
    String marks,
    String lever,
    IntFunction<String> on,
    String manifest,
    LongPredicate keep) {

  /** One that is scaled by its own replicas, and that nobody keeps. */
  static Stake ofReplicas(String path, String manifest) {
    return new Stake(
        path, path, path, "{\"spec\":{\"replicas\":%d}}"::formatted, manifest, seconds -> false);
  }

  boolean isAt(String uri) {
    return Stream.of(path, marks, lever).anyMatch(uri::startsWith);
  }
}
