package dev.fallow.core.ledger;

import java.time.Instant;
import java.util.Optional;

/**
 * Which actions are asked for. What is absent does not restrict.
 *
 * @param from the earliest
 * @param to just after the latest
 * @param kind as {@link dev.fallow.core.fleet.ObjectId#qualifiedKind} writes it
 * @param begun whether the mere beginnings of actions are asked for as well
 * @param limit how many at most
 * @param after where the page before ended
 */
public record ActionQuery(
    Optional<Instant> from,
    Optional<Instant> to,
    Optional<String> namespace,
    Optional<String> kind,
    Optional<String> name,
    Optional<Verb> verb,
    boolean begun,
    int limit,
    Optional<Cursor> after) {

  public static final int MOST = 10_000;

  public ActionQuery {
    if (limit < 1 || limit > MOST) {
      throw new IllegalArgumentException("a page has 1 to " + MOST + " actions, not " + limit);
    }
  }

  /** The latest actions of all workloads. */
  public static ActionQuery latest(int limit) {
    return new ActionQuery(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        false,
        limit,
        Optional.empty());
  }

  public ActionQuery between(Instant from, Instant to) {
    return new ActionQuery(
        Optional.of(from), Optional.of(to), namespace, kind, name, verb, begun, limit, after);
  }

  public ActionQuery namespace(String wanted) {
    return new ActionQuery(from, to, Optional.of(wanted), kind, name, verb, begun, limit, after);
  }

  public ActionQuery kind(String wanted) {
    return new ActionQuery(
        from, to, namespace, Optional.of(wanted), name, verb, begun, limit, after);
  }

  public ActionQuery name(String wanted) {
    return new ActionQuery(
        from, to, namespace, kind, Optional.of(wanted), verb, begun, limit, after);
  }

  public ActionQuery verb(Verb wanted) {
    return new ActionQuery(
        from, to, namespace, kind, name, Optional.of(wanted), begun, limit, after);
  }

  public ActionQuery withBeginnings() {
    return new ActionQuery(from, to, namespace, kind, name, verb, true, limit, after);
  }

  /** The page after the one that ended there. */
  public ActionQuery after(Cursor end) {
    return new ActionQuery(from, to, namespace, kind, name, verb, begun, limit, Optional.of(end));
  }
}
