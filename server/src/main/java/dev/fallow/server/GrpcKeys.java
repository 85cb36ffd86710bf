package dev.fallow.server;

import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.grpc.util.AdvancedTlsX509TrustManager.Verification;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/**
 * The certificate that a gRPC server shows and the authority whose holders alone may call it, from
 * files that are read again when they change.
 */
public final class GrpcKeys implements AutoCloseable {

  private static final int LOOK_SECONDS = 30;

  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("grpc-keys").factory());
  private final SSLContext context = SSLContext.getInstance("TLS");
  private final boolean callersAreKnown;

  private GrpcKeys(Path certificate, Path key, Optional<Path> callers)
      throws IOException, GeneralSecurityException {
    AdvancedTlsX509KeyManager keys = new AdvancedTlsX509KeyManager();
    keys.updateIdentityCredentials(
        certificate.toFile(), key.toFile(), LOOK_SECONDS, TimeUnit.SECONDS, watch);
    AdvancedTlsX509TrustManager trust =
        AdvancedTlsX509TrustManager.newBuilder()
            .setVerification(Verification.CERTIFICATE_ONLY_VERIFICATION)
            .build();
    if (callers.isPresent()) {
      trust.updateTrustCredentials(callers.get().toFile(), LOOK_SECONDS, TimeUnit.SECONDS, watch);
    }
    context.init(new KeyManager[] {keys}, new TrustManager[] {trust}, null);
    this.callersAreKnown = callers.isPresent();
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

  /**
   * The same connection over TLS, which is agreed on when it is first read. The library's own way
   * ends at TLS 1.2.
   */
  Socket over(Socket connection) throws IOException {
    SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(connection, null, true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    parameters.setApplicationProtocols(new String[] {"h2"});
    parameters.setNeedClientAuth(callersAreKnown);
    secure.setSSLParameters(parameters);
    return secure;
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
