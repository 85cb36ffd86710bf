package dev.fallow.adapters.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What somebody has taken upon themselves, each thing once. */
final class ClaimTable {

  private ClaimTable() {}

  static boolean insert(Connection connection, String what, Instant at) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO claims (id, at) VALUES (?, ?) ON CONFLICT (id) DO NOTHING")) {
      insert.setString(1, Stored.hash(List.of(what)));
      insert.setLong(2, Stored.micros(at));
      return insert.executeUpdate() == 1;
    }
  }

  static Optional<Instant> select(Connection connection, String what) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("SELECT at FROM claims WHERE id = ?")) {
      select.setString(1, Stored.hash(List.of(what)));
      try (ResultSet row = select.executeQuery()) {
        return row.next() ? Optional.of(Stored.instant(row.getLong(1))) : Optional.empty();
      }
    }
  }

  static boolean delete(Connection connection, String what) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM claims WHERE id = ?")) {
      delete.setString(1, Stored.hash(List.of(what)));
      return delete.executeUpdate() == 1;
    }
  }

  static int deleteBefore(Connection connection, Instant before) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement("DELETE FROM claims WHERE at < ?")) {
      delete.setLong(1, Stored.micros(before));
      return delete.executeUpdate();
    }
  }
}
