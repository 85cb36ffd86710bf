package dev.fallow.adapters.ledger;

import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.ledger.ActionQuery;
import dev.fallow.core.ledger.ActionRecord;
import dev.fallow.core.ledger.Outcome;
import dev.fallow.core.ledger.Verb;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The table of past actions. */
final class ActionTable {

  private static final String INSERT =
      """
      INSERT INTO actions (id, at, action_id, verb, outcome, api_group, kind, qualified_kind,
        namespace, name, uid, gpus, dollars_per_hour, reason, sentence, done_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO NOTHING
      """;

  private static final String SELECT =
      """
      SELECT action_id, at, verb, outcome, api_group, kind, namespace, name, uid, gpus,
        dollars_per_hour, reason, sentence, done_by
      FROM actions
      WHERE verb IN (%s) AND outcome IN (%s)
      """
          .formatted(known(Verb.values()), known(Outcome.values()));

  private ActionTable() {}

  /** A newer replica may write what this one has no name for. */
  private static String known(Enum<?>[] values) {
    return Arrays.stream(values)
        .map(value -> "'" + value.name() + "'")
        .collect(Collectors.joining(", "));
  }

  static void insert(Connection connection, ActionRecord action) throws SQLException {
    ObjectId workload = action.workload();
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      insert.setString(1, action.key());
      insert.setLong(2, Stored.micros(action.at()));
      insert.setString(3, Stored.text(action.actionId()));
      insert.setString(4, action.verb().name());
      insert.setString(5, action.outcome().name());
      insert.setString(6, Stored.text(workload.group()));
      insert.setString(7, Stored.text(workload.kind()));
      insert.setString(8, Stored.text(workload.qualifiedKind()));
      insert.setString(9, Stored.text(workload.namespace()));
      insert.setString(10, Stored.text(workload.name()));
      insert.setString(11, Stored.text(workload.uid()));
      insert.setInt(12, action.gpus());
      insert.setDouble(13, action.dollarsPerHour());
      insert.setString(14, Stored.text(action.reason()));
      insert.setString(15, Stored.text(action.sentence()));
      insert.setString(16, Stored.text(action.by()));
      insert.executeUpdate();
    }
  }

  static List<ActionRecord> select(Connection connection, ActionQuery query) throws SQLException {
    StringBuilder sql = new StringBuilder(SELECT);
    List<Object> values = new ArrayList<>();
    query.from().ifPresent(from -> restrict(sql, values, "at >= ?", Stored.micros(from)));
    query.to().ifPresent(to -> restrict(sql, values, "at < ?", Stored.micros(to)));
    query.namespace().ifPresent(name -> restrict(sql, values, "namespace = ?", Stored.text(name)));
    query.kind().ifPresent(kind -> restrict(sql, values, "qualified_kind = ?", Stored.text(kind)));
    query.name().ifPresent(name -> restrict(sql, values, "name = ?", Stored.text(name)));
    query.verb().ifPresent(verb -> restrict(sql, values, "verb = ?", verb.name()));
    if (!query.begun()) {
      restrict(sql, values, "outcome <> ?", Outcome.BEGUN.name());
    }
    query
        .after()
        .ifPresent(cursor -> {
          long at = Stored.micros(cursor.at());
          restrict(sql, values, "(at < ? OR (at = ? AND id < ?))", at, at, cursor.key());
        });
    sql.append("ORDER BY at DESC, id DESC LIMIT ?");
    values.add(query.limit());
    try (PreparedStatement select = connection.prepareStatement(sql.toString())) {
      for (int i = 0; i < values.size(); i++) {
        select.setObject(i + 1, values.get(i));
      }
      return read(select);
    }
  }

  private static void restrict(
      StringBuilder sql, List<Object> values, String condition, Object... arguments) {
    sql.append("AND ").append(condition).append('\n');
    values.addAll(List.of(arguments));
  }

  private static List<ActionRecord> read(PreparedStatement select) throws SQLException {
    List<ActionRecord> actions = new ArrayList<>();
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        actions.add(
            new ActionRecord(
                row.getString(1),
                Stored.instant(row.getLong(2)),
                Verb.valueOf(row.getString(3)),
                Outcome.valueOf(row.getString(4)),
                new ObjectId(
                    row.getString(5),
                    row.getString(6),
                    row.getString(7),
                    row.getString(8),
                    row.getString(9)),
                row.getInt(10),
                row.getDouble(11),
                row.getString(12),
                row.getString(13),
                row.getString(14)));
      }
    }
    return actions;
  }

  static int deleteBefore(Connection connection, Instant before) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM actions WHERE at < ?")) {
      delete.setLong(1, Stored.micros(before));
      return delete.executeUpdate();
    }
  }
}
