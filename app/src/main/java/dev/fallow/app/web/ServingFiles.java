package dev.fallow.app.web;

import dev.fallow.app.WrongUse;
import dev.fallow.app.log.Log;
import dev.fallow.server.ServingKeys;
import dev.fallow.server.certificate.Credential;
import dev.fallow.server.certificate.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The certificate and key that a port is served with, from two files that somebody else renews.
 * While they cannot be read or do not belong together, the last ones that did are shown.
 */
public final class ServingFiles implements AutoCloseable {

  private static final Duration PACE = Duration.ofSeconds(15);

  private final Path certificateFile;
  private final Path keyFile;
  private final ServingKeys keys;
  private final CountDownLatch closed = new CountDownLatch(1);
  private String said = "";

  private ServingFiles(Path certificateFile, Path keyFile, ServingKeys keys) {
    this.certificateFile = certificateFile;
    this.keyFile = keyFile;
    this.keys = keys;
  }

  /**
   * @param asksCallers whether callers are asked for a certificate of theirs
   * @throws WrongUse if nothing can be served with the files as they are now
   */
  public static ServingFiles open(Path certificate, Path key, boolean asksCallers) {
    return open(certificate, key, asksCallers, PACE);
  }

  static ServingFiles open(Path certificate, Path key, boolean asksCallers, Duration pace) {
    ServingFiles files = new ServingFiles(certificate, key, new ServingKeys(asksCallers));
    files
        .turn()
        .ifPresent(wrong -> {
          throw new WrongUse("--dashboard-tls-cert: " + wrong);
        });
    Thread.ofVirtual().name("dashboard-certificate").start(() -> files.keepUp(pace));
    return files;
  }

  public ServingKeys keys() {
    return keys;
  }

  private void keepUp(Duration pace) {
    try {
      while (!closed.await(pace.toMillis(), TimeUnit.MILLISECONDS)) {
        String wrong = turn().orElse("");
        if (!wrong.isEmpty() && !wrong.equals(said)) {
          Log.warn("the dashboard keeps its former certificate", "because", wrong);
        }
        said = wrong;
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Shows what the files hold; what is wrong with them, if something is. */
  private Optional<String> turn() {
    try {
      List<X509Certificate> chain = Pem.certificates(Files.readString(certificateFile));
      Optional<PrivateKey> key = Pem.key(Files.readString(keyFile));
      if (chain.isEmpty()) {
        return Optional.of(certificateFile + " holds no certificate that can be read");
      }
      if (key.isEmpty()) {
        return Optional.of(
            keyFile
                + " holds no key in PKCS #8; openssl pkcs8 -topk8 -nocrypt makes one of it, and"
                + " cert-manager with privateKey.encoding: PKCS8");
      }
      Credential credential = new Credential(chain.getFirst(), key.get());
      if (!credential.fits()) {
        return Optional.of("the key in " + keyFile + " is not that of " + certificateFile);
      }
      keys.show(credential, chain);
      return Optional.empty();
    } catch (IOException unreadable) {
      return Optional.of(certificateFile + " or " + keyFile + " cannot be read");
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
