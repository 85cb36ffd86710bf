package dev.fallow.app;

import java.util.Optional;

/** Which Fallow this is. */
public final class Version {

  private Version() {}

  public static String number() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse("development");
  }

  public static String line() {
    return "fallow " + number() + " (Java " + Runtime.version().feature() + ")";
  }
}
