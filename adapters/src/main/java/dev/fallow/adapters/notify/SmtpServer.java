package dev.fallow.adapters.notify;

import dev.fallow.core.notice.Address;
import java.util.Optional;

/**
 * The mail server that takes our mail.
 *
 * @param credentials given over TLS only, or to this machine
 * @param from the address that mail comes from, such as {@code fallow@example.com}
 */
public record SmtpServer(
    String host, int port, Tls tls, Optional<Credentials> credentials, String from) {

  /** How the connection is encrypted. */
  public enum Tls {
    /** From the first byte, usually on port 465. */
    IMPLICIT,
    /** After STARTTLS, usually on port 587; a server that does not offer it gets no mail. */
    STARTTLS,
    NONE
  }

  /** Who we are to the server. */
  public record Credentials(String user, Secret password) {}

  /**
   * @throws IllegalArgumentException with a sentence for people
   */
  public SmtpServer {
    if (host.isBlank() || host.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
      throw new IllegalArgumentException("the mail server needs a host name");
    }
    if (port < 1 || port > 65535) {
      throw new IllegalArgumentException("the mail server's port is from 1 to 65535");
    }
    if (!(Address.parse(Address.MAIL + ":" + from) instanceof Address.Parsed.Valid)) {
      throw new IllegalArgumentException(
          "mail comes from one plain address, such as fallow@example.com");
    }
    if (credentials.isPresent()
        && credentials.get().user().chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("the mail server's user holds control characters");
    }
    if (credentials.isPresent() && tls == Tls.NONE && !Hosts.isLoopback(host)) {
      throw new IllegalArgumentException(
          "a password is not sent to a mail server without TLS; use STARTTLS or implicit TLS");
    }
  }

  /** What stands after the @ in our own address. */
  String domain() {
    return from.substring(from.lastIndexOf('@') + 1);
  }
}
