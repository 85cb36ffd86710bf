package dev.fallow.server;

import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.TlsServerCredentials.ClientAuth;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.AdvancedTlsX509TrustManager.Verification;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The certificate that a gRPC server shows and the authority whose holders alone may call it, from
 * files that are read again when they change.
 */
public final class GrpcKeys implements AutoCloseable {

  private static final int LOOK_SECONDS = 30;

  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("grpc-keys").factory());
  private final ServerCredentials credentials;

  private GrpcKeys(Path certificate, Path key, Optional<Path> callers)
      throws IOException, GeneralSecurityException {
    AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
    keys.updateIdentityCredentials(
        certificate.toFile(), key.toFile(), LOOK_SECONDS, TimeUnit.SECONDS, watch);
    TlsServerCredentials.Builder tls = TlsServerCredentials.newBuilder().keyManager(keys);
    if (callers.isPresent()) {
      AdvancedTlsX509TrustManager trust =
          AdvancedTlsX509TrustManager.newBuilder()
              .setVerification(Verification.CERTIFICATE_ONLY_VERIFICATION)
              .build();
      trust.updateTrustCredentials(callers.get().toFile(), LOOK_SECONDS, TimeUnit.SECONDS, watch);
      tls.trustManager(trust).clientAuth(ClientAuth.REQUIRE);
    }
    this.credentials = tls.build();
  }

  /**
   * @param certificate PEM, with the certificates between it and its authority
   * @param key PEM in PKCS #8
   * @param callers PEM of the authorities of callers; without it everybody may call
   * @throws IOException if one of them cannot be read
   * @throws GeneralSecurityException if one of them is not what it should be
   */
  public static GrpcKeys of(Path certificate, Path key, Optional<Path> callers)
      throws IOException, GeneralSecurityException {
    return new GrpcKeys(certificate, key, callers);
  }

  ServerCredentials credentials() {
    return credentials;
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
