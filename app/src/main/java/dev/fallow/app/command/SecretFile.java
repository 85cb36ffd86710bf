package dev.fallow.app.command;

import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.Setting;
import dev.fallow.app.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A secret in a file: a command line is read by everybody on the machine. */
final class SecretFile {

  private static final int SHORTEST = 16;

  private SecretFile() {}

  static String read(Settings settings, Setting<String> setting) {
    String file = settings.of(setting);
    try {
      String secret = file.isEmpty() ? "" : Files.readString(Path.of(file)).strip();
      if (secret.length() < SHORTEST) {
        throw new WrongUse(
            "--" + setting.name() + ": has to name a file with at least 16 characters");
      }
      return secret;
    } catch (IOException unreadable) {
      throw new WrongUse("--" + setting.name() + ": " + file + " cannot be read");
    }
  }
}
