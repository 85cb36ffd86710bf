package dev.fallow.systemtests.faults;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.ledger.Verb;
import dev.fallow.systemtests.campaign.LedgerRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** The books of one iteration: the product's, and one of each that runs beside it. */
final class Ledgers {
  private final Path folder;
  private final List<Path> others = new CopyOnWriteArrayList<>();
  private volatile int iteration;

  Ledgers(Path folder) {
    this.folder = folder;
  }

  void begin(int next) {
    iteration = next;
    others.clear();
  }

  Path main() {
    return folder.resolve("ledger-%d.db".formatted(iteration));
  }

  /** SQLite has one writer: who works beside the product has a book of their own. */
  Path another() {
    Path file = folder.resolve("ledger-%d-%d.db".formatted(iteration, others.size()));
    others.add(file);
    return file;
  }

  /** Whoever keeps a book of its own writes down there what it finds done by others: once is it. */
  List<LedgerRecord> records() {
    List<LedgerRecord> all = read(main());
    Map<String, LedgerRecord> unknown = new LinkedHashMap<>();
    others.stream()
        .flatMap(file -> read(file).stream())
        .forEach(line -> unknown.put(line.actionId() + line.verb(), line));
    all.forEach(line -> unknown.remove(line.actionId() + line.verb()));
    all.addAll(unknown.values());
    return all;
  }

  private static List<LedgerRecord> read(Path file) {
    List<LedgerRecord> lines = new ArrayList<>();
    if (Files.exists(file)) {
      try (Ledger ledger = SqlLedger.at(file.toString())) {
        for (ActionRecord action : ledger.actions(ActionQuery.latest(ActionQuery.MOST))) {
          lines.add(
              new LedgerRecord(
                  action.actionId(), verbOf(action), action.at(), action.workload().toString()));
        }
      }
    }
    return lines;
  }

  private static String verbOf(ActionRecord action) {
    if (action.verb() != Verb.PAUSE) {
      return action.verb().toString();
    }
    return switch (action.outcome()) {
      case DONE -> LedgerRecord.PAUSE;
      case UNKNOWN -> LedgerRecord.DOUBTFUL_PAUSE;
      default -> "pause " + action.outcome();
    };
  }
}
