package dev.fallow.rig.fault;

import java.util.Random;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;

/**
 * Which requests a fault hits. A scope with a share throws dice, the same for the same seed and the
 * same order of requests.
 */
public final class Scope {
  private final String words;
  private final boolean everything;
  private final BiPredicate<String, String> requests;
  private final double share;
  private final long seed;
  private final long limit;

  private Scope(
      String words,
      boolean everything,
      BiPredicate<String, String> requests,
      double share,
      long seed,
      long limit) {
    this.words = words;
    this.everything = everything;
    this.requests = requests;
    this.share = share;
    this.seed = seed;
    this.limit = limit;
  }

  /** Every request, and connections before they have asked for anything. */
  public static Scope everything() {
    return new Scope("everything", true, (method, path) -> true, 1, 0, Long.MAX_VALUE);
  }

  /**
   * Requests of one method whose path, query included, contains a match of this pattern.
   *
   * @param method such as PATCH; empty for all
   */
  public static Scope of(String method, String pathPattern) {
    Pattern pattern = Pattern.compile(pathPattern);
    return new Scope(
        method + " " + pathPattern,
        false,
        (asked, path) -> (method.isEmpty() || method.equals(asked)) && pattern.matcher(path).find(),
        1,
        0,
        Long.MAX_VALUE);
  }

  /** Of these requests, only about this share. */
  public Scope share(double part, long dice) {
    return new Scope(
        words + " " + Math.round(part * 100) + "%", false, requests, part, dice, limit);
  }

  /** Of these requests, only the first few. */
  public Scope first(long count) {
    return new Scope(words + " first " + count, false, requests, share, seed, count);
  }

  boolean isEverything() {
    return everything;
  }

  boolean includes(String method, String path) {
    return requests.test(method, path);
  }

  double share() {
    return share;
  }

  long limit() {
    return limit;
  }

  Random dice() {
    return new Random(seed);
  }

  @Override
  public String toString() {
    return words;
  }
}
