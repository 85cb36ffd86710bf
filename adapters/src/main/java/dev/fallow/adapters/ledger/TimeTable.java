package dev.fallow.adapters.ledger;

import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.ledger.Span;
import dev.fallow.core.ledger.TimeQuery;
import dev.fallow.core.ledger.TimeQuery.Detail;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The tables of GPU time. What a row is about is written once, in {@code gpu_series}; the rows of
 * {@code gpu_time} are small. The one row of {@code counted} says up to when time was counted;
 * whoever changes the other two holds it, so that two replicas come one after the other.
 */
final class TimeTable {

  private static final String COUNT =
      "UPDATE counted SET until_time = ? WHERE id = 1 AND (until_time IS NULL OR until_time <= ?)";

  private static final String HOLD = "UPDATE counted SET until_time = until_time WHERE id = 1";

  private static final String NAME =
      """
      INSERT INTO gpu_series (id, workload, namespace, model, state, last_hour, team, spot)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET last_hour = excluded.last_hour
        WHERE gpu_series.last_hour < excluded.last_hour
      """;

  private static final String ADD =
      """
      INSERT INTO gpu_time (hour, series, amount) VALUES (?, ?, ?)
      ON CONFLICT (hour, series) DO UPDATE SET amount = gpu_time.amount + excluded.amount
      """;

  /** A newer replica may write states that this one has no name for. */
  private static final String KNOWN_STATES =
      Arrays.stream(GpuState.values())
          .map(state -> "'" + state.name() + "'")
          .collect(Collectors.joining(", "));

  /** Sorted here and not by the databases, which sort text by rules of their own. */
  private static final Comparator<GpuTime> ORDER =
      Comparator.comparing(GpuTime::hour)
          .thenComparing(GpuTime::namespace)
          .thenComparing(GpuTime::workload)
          .thenComparing(GpuTime::team)
          .thenComparing(GpuTime::model)
          .thenComparing(GpuTime::spot)
          .thenComparing(GpuTime::state);

  private TimeTable() {}

  static boolean add(Connection connection, Span span, List<GpuTime> times) throws SQLException {
    try (PreparedStatement count = connection.prepareStatement(COUNT)) {
      count.setLong(1, Stored.micros(span.to()));
      count.setLong(2, Stored.micros(span.from()));
      if (count.executeUpdate() == 0) {
        return false;
      }
    }
    try (PreparedStatement name = connection.prepareStatement(NAME);
        PreparedStatement add = connection.prepareStatement(ADD)) {
      for (GpuTime time : times) {
        String workload = Stored.text(time.workload());
        String namespace = Stored.text(time.namespace());
        String model = Stored.text(time.model());
        String state = time.state().name();
        String team = Stored.text(time.team());
        String id = seriesId(List.of(workload, namespace, model, state), team, time.spot());
        long hour = Stored.micros(time.hour());
        name.setString(1, id);
        name.setString(2, workload);
        name.setString(3, namespace);
        name.setString(4, model);
        name.setString(5, state);
        name.setLong(6, hour);
        name.setString(7, team);
        name.setInt(8, time.spot() ? 1 : 0);
        name.addBatch();
        add.setLong(1, hour);
        add.setString(2, id);
        add.setLong(3, time.amount());
        add.addBatch();
      }
      if (!times.isEmpty()) {
        name.executeBatch();
        add.executeBatch();
      }
    }
    return true;
  }

  /** What has neither team nor spot goes on under the key it had before there were such. */
  private static String seriesId(List<String> names, String team, boolean spot) {
    if (team.isEmpty() && !spot) {
      return Stored.hash(names);
    }
    List<String> more = new ArrayList<>(names);
    more.add(team);
    more.add(spot ? "spot" : "");
    return Stored.hash(more);
  }

  static Optional<Instant> countedUntil(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT until_time FROM counted WHERE id = 1 AND until_time IS NOT NULL")) {
      return row.next() ? Optional.of(Stored.instant(row.getLong(1))) : Optional.empty();
    }
  }

  static List<GpuTime> select(Connection connection, TimeQuery query) throws SQLException {
    List<String> columns = new ArrayList<>(List.of("s.model", "s.spot", "s.state"));
    if (query.hourly()) {
      columns.add("t.hour");
    }
    if (query.detail() != Detail.STATE) {
      columns.add("s.namespace");
      columns.add("s.team");
    }
    if (query.detail() == Detail.WORKLOAD) {
      columns.add("s.workload");
    }
    // Summed before it is joined: many hours of a few series become a few rows first.
    String sql =
        """
        SELECT %1$s, CAST(SUM(t.amount) AS BIGINT) AS amount
        FROM (
          SELECT %2$s, SUM(amount) AS amount FROM gpu_time
          WHERE hour >= ? AND hour < ? GROUP BY %2$s) t
        JOIN gpu_series s ON s.id = t.series
        WHERE s.state IN (%3$s)
        GROUP BY %1$s
        """
            .formatted(
                String.join(", ", columns),
                query.hourly() ? "hour, series" : "series",
                KNOWN_STATES);
    List<GpuTime> times = new ArrayList<>();
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setLong(1, Stored.micros(query.from()));
      select.setLong(2, Stored.micros(query.to()));
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          times.add(
              new GpuTime(
                  query.hourly() ? Stored.instant(row.getLong("hour")) : query.from(),
                  query.detail() == Detail.WORKLOAD ? row.getString("workload") : "",
                  query.detail() == Detail.STATE ? "" : row.getString("namespace"),
                  query.detail() == Detail.STATE ? "" : row.getString("team"),
                  row.getString("model"),
                  row.getInt("spot") != 0,
                  GpuState.valueOf(row.getString("state")),
                  row.getLong("amount")));
        }
      }
    }
    times.sort(ORDER);
    return times;
  }

  static int deleteBefore(Connection connection, Instant before) throws SQLException {
    long lastHour = Stored.micros(before) - Stored.micros(Instant.EPOCH.plus(Duration.ofHours(1)));
    try (Statement hold = connection.createStatement()) {
      hold.executeUpdate(HOLD);
    }
    try (PreparedStatement times =
            connection.prepareStatement("DELETE FROM gpu_time WHERE hour <= ?");
        PreparedStatement series =
            connection.prepareStatement("DELETE FROM gpu_series WHERE last_hour <= ?")) {
      times.setLong(1, lastHour);
      series.setLong(1, lastHour);
      int deleted = times.executeUpdate();
      series.executeUpdate();
      return deleted;
    }
  }
}
