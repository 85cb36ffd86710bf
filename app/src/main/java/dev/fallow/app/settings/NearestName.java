package dev.fallow.app.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The name somebody probably meant. */
public final class NearestName {

  private NearestName() {}

  public static Optional<String> of(String written, Collection<String> known) {
    return known.stream()
        .min(
            Comparator.comparingInt((String name) -> distance(written, name))
                .thenComparing(Comparator.naturalOrder()))
        .filter(name -> distance(written, name) <= Math.max(2, written.length() / 2));
  }

  /** How many letters have to be changed, added or left out. */
  private static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int substituted = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
