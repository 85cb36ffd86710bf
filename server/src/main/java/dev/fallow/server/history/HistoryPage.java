package dev.fallow.server.history;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Some past deeds.
 *
 * @param items a row each, its fields in the order they are to be shown
 * @param next the cursor of the page after this one, if there is one
 */
public record HistoryPage(List<Map<String, Object>> items, Optional<String> next) {

  public HistoryPage {
    items = List.copyOf(items);
  }
}
