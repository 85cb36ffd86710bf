package dev.fallow.app.command;

import dev.fallow.app.WrongUse;
import dev.fallow.app.autoscale.KedaServer;
import dev.fallow.app.settings.MetricsSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.autoscale.MetricBook;
import dev.fallow.server.GrpcKeys;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;

/** How KEDA is served, from the settings. */
record KedaPort(int port, Optional<Files> files) {

  /**
   * @param callers whose certificates callers have to show
   */
  record Files(Path certificate, Path key, Optional<Path> callers) {}

  /** Nothing where it is switched off. */
  static Optional<KedaPort> of(Settings settings) {
    int port = settings.of(MetricsSettings.KEDA_PORT);
    String certificate = settings.of(MetricsSettings.KEDA_CERT_FILE);
    String key = settings.of(MetricsSettings.KEDA_KEY_FILE);
    String callers = settings.of(MetricsSettings.KEDA_CLIENT_CA_FILE);
    if (certificate.isEmpty() != key.isEmpty()) {
      throw new WrongUse(
          "--keda-cert-file and --keda-key-file: each wants the other; give both, or neither");
    }
    if (certificate.isEmpty() && !callers.isEmpty()) {
      throw new WrongUse(
          "--keda-client-ca-file: wants --keda-cert-file and --keda-key-file, since there are no"
              + " certificates without TLS");
    }
    if (port == 0) {
      return Optional.empty();
    }
    Optional<Files> files =
        certificate.isEmpty()
            ? Optional.empty()
            : Optional.of(
                new Files(
                    Path.of(certificate),
                    Path.of(key),
                    callers.isEmpty() ? Optional.empty() : Optional.of(Path.of(callers))));
    return Optional.of(new KedaPort(port, files));
  }

  KedaServer open(MetricBook book) {
    Optional<GrpcKeys> keys = files.map(KedaPort::read);
    boolean known = files.flatMap(Files::callers).isPresent();
    return KedaServer.start("0.0.0.0", port, keys, known, book);
  }

  private static GrpcKeys read(Files files) {
    try {
      return GrpcKeys.of(files.certificate(), files.key(), files.callers());
    } catch (IOException | GeneralSecurityException unreadable) {
      throw new WrongUse(
          "--keda-cert-file, --keda-key-file, --keda-client-ca-file: cannot be read ("
              + unreadable.getMessage()
              + "); they take PEM, and the key in PKCS #8");
    }
  }
}
