package dev.fallow.app.command;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.prune.LedgerPlace;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.Ledger;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.util.Optional;

/** A ledger for those who only read: one that is not there is not made. */
final class ReadLedger {

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
    try {
      return !place.equals("none")
          && SqlLedger.file(place).filter(file -> !Files.isRegularFile(file)).isPresent();
    } catch (InvalidPathException noPath) {
      return true;
    }
  }
}
