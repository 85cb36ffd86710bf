package dev.fallow.adapters.ledger;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a PostgreSQL server is, with what is secret kept apart from what may be shown: drivers like
 * to repeat the address in their messages.
 *
 * @param url for the driver, without user and password
 * @param shown for people
 */
record PostgresAddress(String url, String shown, Properties properties) {

  private static final String FORM =
      "an address of PostgreSQL looks like postgresql://user:password@host:5432/database";

  private static final List<String> PREFIXES =
      List.of("jdbc:postgresql:", "postgresql:", "postgres:");

  private static final Set<String> SECRETS = Set.of("password", "sslpassword");

  static boolean looksLikeOne(String place) {
    return PREFIXES.stream().anyMatch(place::startsWith);
  }

  static PostgresAddress parse(String address) {
    String rest =
        PREFIXES.stream()
            .filter(address::startsWith)
            .findFirst()
            .map(prefix -> address.substring(prefix.length()))
            .orElseThrow(() -> new IllegalArgumentException(FORM));
    if (!rest.startsWith("//")) {
      throw new IllegalArgumentException(FORM);
    }
    int question = rest.indexOf('?');
    String path = question < 0 ? rest.substring(2) : rest.substring(2, question);
    String query = question < 0 ? "" : rest.substring(question + 1);
    int at = path.lastIndexOf('@');
    String place = path.substring(at + 1);
    if (place.indexOf('/') < 0 || place.endsWith("/")) {
      throw new IllegalArgumentException(FORM);
    }
    Properties properties = limits();
    if (at >= 0) {
      signIn(path.substring(0, at), properties);
    }
    List<String> open = new ArrayList<>();
    for (String parameter : query.split("&")) {
      String[] pair = parameter.split("=", 2);
      if (pair.length == 2 && (pair[0].equals("user") || SECRETS.contains(pair[0]))) {
        properties.setProperty(pair[0], decoded(pair[1]));
      } else if (!parameter.isEmpty()) {
        open.add(parameter);
      }
    }
    String url =
        "jdbc:postgresql://" + place + (open.isEmpty() ? "" : "?" + String.join("&", open));
    return new PostgresAddress(url, "postgresql://" + place, properties);
  }

  /** No call waits for ever; what the address itself says goes before these. */
  private static Properties limits() {
    Properties limits = new Properties();
    limits.setProperty("ApplicationName", "fallow");
    limits.setProperty("connectTimeout", "10");
    limits.setProperty("loginTimeout", "15");
    limits.setProperty("socketTimeout", "25");
    limits.setProperty("tcpKeepAlive", "true");
    return limits;
  }

  private static void signIn(String userInfo, Properties properties) {
    String[] parts = userInfo.split(":", 2);
    properties.setProperty("user", decoded(parts[0]));
    if (parts.length == 2) {
      properties.setProperty("password", decoded(parts[1]));
    }
  }

  private static String decoded(String text) {
    try {
      // In an address a plus is a plus.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(FORM + "; a percent sign in it is written %25");
    }
  }

  String withoutSecrets(String message) {
    String safe = message;
    for (String name : SECRETS) {
      String secret = properties.getProperty(name, "");
      safe = secret.isEmpty() ? safe : safe.replace(secret, "***");
    }
    return safe;
  }

  boolean tellsSecrets(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String text = cause.toString();
      if (!withoutSecrets(text).equals(text)) {
        return true;
      }
    }
    return false;
  }

  /** Without the properties, which hold the password. */
  @Override
  public String toString() {
    return shown;
  }
}
