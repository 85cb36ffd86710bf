package dev.fallow.server.certificate;

import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Whom a certificate is about, by the one part of its subject that says so. */
public final class CommonName {

  private CommonName() {}

  /** Nothing where there is none, or more than one: nobody knows which of them is meant then. */
  public static Optional<String> of(X509Certificate certificate) {
    try {
      var names =
          new LdapName(certificate.getSubjectX500Principal().getName())
              .getRdns().stream()
                  .filter(part -> part.getType().equalsIgnoreCase("CN"))
                  .map(Rdn::getValue)
                  .toList();
      return names.size() == 1 && names.getFirst() instanceof String name
          ? Optional.of(name)
          : Optional.empty();
    } catch (InvalidNameException unreadable) {
      return Optional.empty();
    }
  }
}
