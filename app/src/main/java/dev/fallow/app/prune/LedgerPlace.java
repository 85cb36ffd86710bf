package dev.fallow.app.prune;

import dev.fallow.adapters.ledger.SqlLedger;
import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.ledger.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Opens the ledger that the settings name, or the one in this user's state folder. */
public final class LedgerPlace {

  private LedgerPlace() {}

  /** Nothing if the settings want none, or there is no place for one. */
  public static Optional<Ledger> open(Settings settings, Map<String, String> environment) {
    if (!wanted(settings)) {
      return Optional.empty();
    }
    String place = settings.of(Catalogue.LEDGER);
    try {
      return place.isEmpty()
          ? usual(environment).map(file -> SqlLedger.at(file.toString()))
          : Optional.of(SqlLedger.at(place));
    } catch (IllegalArgumentException refused) {
      throw new WrongUse("--ledger: " + refused.getMessage());
    }
  }

  /** Whether the settings want one; there may be no place for it. */
  public static boolean wanted(Settings settings) {
    return !settings.of(Catalogue.LEDGER).equals("none");
  }

  private static Optional<Path> usual(Map<String, String> environment) {
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    String home = environment.getOrDefault("HOME", "");
    if (state.isEmpty() && home.isEmpty()) {
      return Optional.empty();
    }
    Path folder =
        (state.isEmpty() ? Path.of(home, ".local", "state") : Path.of(state)).resolve("fallow");
    try {
      Files.createDirectories(folder);
      return Files.isWritable(folder) ? Optional.of(folder.resolve("ledger.db")) : Optional.empty();
    } catch (IOException readOnly) {
      return Optional.empty();
    }
  }
}
