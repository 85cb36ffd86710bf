package dev.fallow.adapters.notify;

import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A token, a password, or an address whose knowledge lets one in. Never shows itself in text. */
public final class Secret {

  private final String value;

  private Secret(String value) {
    this.value = value;
  }

  /**
   * @throws IllegalArgumentException if it is blank, or holds what no secret does; the message does
   *     not repeat it
   */
  public static Secret of(String value) {
    String stripped = value.strip();
    if (stripped.isEmpty()) {
      throw new IllegalArgumentException("a secret that is given must not be blank");
    }
    if (stripped.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a secret must not hold line breaks or other control characters");
    }
    return new Secret(stripped);
  }

  String reveal() {
    return value;
  }

  /**
   * For a header, which holds visible ASCII only.
   *
   * @throws IllegalArgumentException without the secret in its message, as the client's own would
   */
  Secret forHeader(String what) {
    if (value.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IllegalArgumentException(what + " holds characters that no token has");
    }
    return this;
  }

  byte[] bytes() {
    return value.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && secret.value.equals(value);
  }

  @Override
  public int hashCode() {
    return Objects.hash(value);
  }

  @Override
  public String toString() {
    return "***";
  }
}
