package dev.fallow.core.prune;

import dev.fallow.core.fleet.ObjectTree;
import java.time.Instant;
import java.util.Optional;

/**
 * How often a pause of a workload has been undone by somebody else, as its annotation tells it: the
 * count, who did it last, and when.
 *
 * @param by a controller's or a person's field manager, or {@link FieldManager#UNNAMED}
 */
public record Undone(int count, String by, Instant at) {

  /** Once may be chance; the second time it is a controller's will, and we stop. */
  private static final int CONTESTED = 2;

  public static Optional<Undone> parse(String text) {
    String[] parts = text.strip().split("\\s+");
    if (parts.length != 3 || !parts[0].matches("[0-9]{1,6}")) {
      return Optional.empty();
    }
    return ObjectTree.parseInstant(parts[2])
        .map(at -> new Undone(Integer.parseInt(parts[0]), parts[1], at));
  }

  public boolean contested() {
    return count >= CONTESTED;
  }

  /** By a person: they are right, and get a full window; no count is kept. */
  public static Undone byPerson(String manager, Instant at) {
    return new Undone(0, manager, at);
  }

  /**
   * Whether a person may have wanted it: nobody can be named who has taken an annotation away, and
   * then both are minded, the window and the count.
   */
  public boolean mayBeAPersons() {
    return count == 0 || by.equals(FieldManager.UNNAMED);
  }

  /** Once more by a controller. */
  public Undone again(String manager, Instant when) {
    return new Undone(count + 1, manager, when);
  }

  /** {@code 2 argocd-controller 2026-11-02T12:00:00Z}. */
  @Override
  public String toString() {
    String name = by.replaceAll("[^\\x21-\\x7e]", "_");
    return count + " " + (name.isEmpty() ? "unknown" : name) + " " + at;
  }
}
