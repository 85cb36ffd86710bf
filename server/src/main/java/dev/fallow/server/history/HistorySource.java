package dev.fallow.server.history;

/** Where past deeds are read. */
@FunctionalInterface
public interface HistorySource {

  /**
   * The newest first. Throws {@link dev.fallow.server.Rejected} for a cursor that no page ever
   * gave, and {@link dev.fallow.core.Unavailable} if the ledger cannot be read.
   */
  HistoryPage read(HistoryQuery query);
}
