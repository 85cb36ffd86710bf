package dev.fallow.app.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The name somebody probably meant: one that differs in a third of its letters at most. */
public final class NearestName {

  private NearestName() {}

  public static Optional<String> of(String written, Collection<String> known) {
    return known.stream()
        .min(
            Comparator.comparingInt((String name) -> distance(written, name))
                .thenComparing(Comparator.naturalOrder()))
        .filter(name -> distance(written, name) <= written.length() / 3);
  }

  /** How many letters have to be changed, added, left out, or swapped with their neighbour. */
  private static int distance(String one, String other) {
    int[][] cost = new int[one.length() + 1][other.length() + 1];
    for (int i = 0; i <= one.length(); i++) {
      for (int j = 0; j <= other.length(); j++) {
        cost[i][j] = i == 0 || j == 0 ? i + j : cheapest(one, other, i, j, cost);
      }
    }
    return cost[one.length()][other.length()];
  }

  private static int cheapest(String one, String other, int i, int j, int[][] cost) {
    boolean same = one.charAt(i - 1) == other.charAt(j - 1);
    int changed = cost[i - 1][j - 1] + (same ? 0 : 1);
    int least = Math.min(changed, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
    boolean swapped =
        i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1);
    return swapped ? Math.min(least, cost[i - 2][j - 2] + 1) : least;
  }
}
