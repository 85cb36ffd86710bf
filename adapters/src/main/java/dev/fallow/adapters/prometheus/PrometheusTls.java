package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.TrustedCertificates;
import dev.fallow.core.Unavailable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLContext;

/** Whom a connection to Prometheus trusts. */
final class PrometheusTls {

  private PrometheusTls() {}

  /** What the access asks for; the system's own context where it asks for nothing. */
  static SSLContext contextFor(PrometheusAccess access) {
    try {
      if (access.tls() == PrometheusAccess.Tls.SKIP) {
        return TrustedCertificates.everybody();
      }
      return access.caFile().isPresent()
          ? TrustedCertificates.besideTheSystems(access.caFile().get())
          : SSLContext.getDefault();
    } catch (IOException | GeneralSecurityException e) {
      throw new Unavailable(
          "prometheus",
          "the certificates in "
              + access.caFile().map(Path::toString).orElse("the system's store")
              + " cannot be read; --prometheus-tls-cert takes a file with certificates in PEM form",
          false,
          e);
    }
  }
}
