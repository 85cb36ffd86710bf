package dev.fallow.server.history;

import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;

/**
 * Which past deeds are asked for. What is absent does not matter.
 *
 * @param since at or after this moment
 * @param limit rows at most
 * @param cursor where the page before ended, as it said itself
 */
public record HistoryQuery(
    Optional<String> namespace,
    Optional<String> kind,
    Optional<String> name,
    Optional<String> verb,
    Optional<Instant> since,
    int limit,
    Optional<String> cursor) {

  public static final int LARGEST_PAGE = 1000;

  private static final int USUAL_PAGE = 100;
  private static final int LONGEST_NAME = 253;
  private static final int LONGEST_CURSOR = 512;
  private static final Set<String> NAMES =
      Set.of("namespace", "kind", "name", "verb", "since", "limit", "cursor");

  /**
   * @throws Rejected naming the parameter; one that is misspelt is wrong too, since it would
   *     otherwise filter nothing
   */
  public static HistoryQuery of(Request request) {
    request.takesOnly(NAMES);
    return new HistoryQuery(
        text(request, "namespace", LONGEST_NAME),
        text(request, "kind", LONGEST_NAME),
        text(request, "name", LONGEST_NAME),
        text(request, "verb", LONGEST_NAME),
        request.query("since").map(HistoryQuery::moment),
        request.query("limit").map(HistoryQuery::limit).orElse(USUAL_PAGE),
        text(request, "cursor", LONGEST_CURSOR));
  }

  /** The same from where a page ended, so many rows at most. */
  HistoryQuery goingOn(String end, int rows) {
    return new HistoryQuery(namespace, kind, name, verb, since, rows, Optional.of(end));
  }

  private static Optional<String> text(Request request, String name, int longest) {
    Optional<String> value = request.query(name);
    if (value.isPresent() && (value.get().isBlank() || value.get().length() > longest)) {
      throw Rejected.parameter(name, "has to have between 1 and " + longest + " characters");
    }
    return value;
  }

  private static Instant moment(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException unreadable) {
      throw Rejected.parameter("since", "has the form 2026-11-02T12:00:00Z");
    }
  }

  private static int limit(String text) {
    if (text.matches("[0-9]{1,4}")) {
      int limit = Integer.parseInt(text);
      if (limit >= 1 && limit <= LARGEST_PAGE) {
        return limit;
      }
    }
    throw Rejected.parameter("limit", "is a number from 1 to " + LARGEST_PAGE);
  }
}
