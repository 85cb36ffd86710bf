package dev.fallow.app.prune;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Cursor;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Verb;
import dev.fallow.server.Rejected;
import dev.fallow.server.history.HistoryPage;
import dev.fallow.server.history.HistoryQuery;
import dev.fallow.server.history.HistorySource;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The ledger's actions as rows, for the API and the command line alike. */
public final class LedgerHistory implements HistorySource {

  private final Optional<Ledger> ledger;

  public LedgerHistory(Optional<Ledger> ledger) {
    this.ledger = ledger.map(SqlLedger::forReaders);
  }

  @Override
  public HistoryPage read(HistoryQuery asked) {
    Ledger book =
        ledger.orElseThrow(() ->
            new Unavailable("ledger", "no ledger is kept here; name one with --ledger", false));
    ActionQuery query = ActionQuery.latest(asked.limit());
    if (asked.namespace().isPresent()) {
      query = query.namespace(asked.namespace().get());
    }
    if (asked.kind().isPresent()) {
      query = query.kind(asked.kind().get());
    }
    if (asked.name().isPresent()) {
      query = query.name(asked.name().get());
    }
    if (asked.verb().isPresent()) {
      query = query.verb(verb(asked.verb().get()));
    }
    if (asked.since().isPresent()) {
      query = query.between(asked.since().get(), Instant.parse("9999-01-01T00:00:00Z"));
    }
    if (asked.cursor().isPresent()) {
      query =
          query.after(
              Cursor.parse(asked.cursor().get())
                  .orElseThrow(() -> Rejected.parameter("cursor", "is none that a page gave")));
    }
    List<ActionRecord> actions = book.actions(query);
    Optional<String> next =
        actions.size() < asked.limit()
            ? Optional.empty()
            : Optional.of(Cursor.after(actions.getLast()).toString());
    return new HistoryPage(actions.stream().map(LedgerHistory::row).toList(), next);
  }

  private static Verb verb(String text) {
    return Arrays.stream(Verb.values())
        .filter(verb -> verb.name().equals(text.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> Rejected.parameter("verb", "is one of pause, resume, keep, end_keep"));
  }

  public static Map<String, Object> row(ActionRecord action) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("at", action.at().toString());
    row.put("verb", action.verb().name());
    row.put("outcome", action.outcome().name());
    row.put("workload", action.workload().toString());
    row.put("namespace", action.workload().namespace());
    row.put("gpus", action.gpus());
    row.put("dollarsPerHour", action.dollarsPerHour());
    row.put("reason", action.reason());
    row.put("sentence", action.sentence());
    row.put("by", action.by());
    row.put("actionId", action.actionId());
    return row;
  }
}
