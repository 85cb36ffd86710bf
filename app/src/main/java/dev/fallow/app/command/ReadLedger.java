package dev.fallow.app.command;

import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.prune.LedgerPlace;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.Ledger;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** A ledger for those who only read: one that is not there is not made. */
final class ReadLedger {

  private static final String SQLITE = "jdbc:sqlite:";

  private ReadLedger() {}

  static Optional<Ledger> open(Call call, Settings settings) {
    String place = settings.of(Catalogue.LEDGER);
    if (isMissingFile(place)) {
      throw new Unavailable("ledger", "there is no ledger at " + place + "; check --ledger", false);
    }
    return LedgerPlace.open(settings, call.console().environment());
  }

  /** Only for what names a file: other places are asked, and answer for themselves. */
  private static boolean isMissingFile(String place) {
    String file = place.startsWith(SQLITE) ? place.substring(SQLITE.length()) : place;
    if (place.equals("none")
        || file.isBlank()
        || file.startsWith("jdbc:")
        || file.contains("://")) {
      return false;
    }
    try {
      return !Files.isRegularFile(Path.of(file));
    } catch (InvalidPathException noPath) {
      return true;
    }
  }
}
