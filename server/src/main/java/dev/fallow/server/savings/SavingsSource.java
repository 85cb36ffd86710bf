package dev.fallow.server.savings;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Where GPU time and money come from. */
@FunctionalInterface
public interface SavingsSource {

  /** The fields of a line, in the order in which they are shown. */
  List<String> COLUMNS =
      List.of(
          "key",
          "busy",
          "idle",
          "kept",
          "unknown",
          "saved",
          "costDollars",
          "wastedDollars",
          "savedDollars");

  /**
   * @param sees the namespaces that count for who asks
   */
  Savings read(SavingsQuery query, Predicate<String> sees);

  /**
   * Lines of GPU hours and dollars.
   *
   * @param currency of the fields that are named for dollars: the price book's
   * @param items each with its key first
   */
  record Savings(
      Instant from,
      Instant to,
      String currency,
      List<Map<String, Object>> items,
      Map<String, Object> total) {
    public Savings {
      items = List.copyOf(items);
    }
  }
}
