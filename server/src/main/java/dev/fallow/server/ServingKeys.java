package dev.fallow.server;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import dev.fallow.server.certificate.Credential;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate that a server shows, which may change while it serves: the next handshake takes
 * the new one.
 *
 * <p>What callers show is taken as it is. TLS proves that the key to it is theirs; who signed it is
 * asked for each request, because trust may be withdrawn while a connection stays open or a session
 * is resumed, and a handshake that fails for it would tell nobody why.
 */
public final class ServingKeys {

  /** A certificate, and those that lead from it to an authority, its own first. */
  private record Bearing(Credential credential, List<X509Certificate> chain) {}

  /** A handshake that has begun with one certificate ends with its key, whatever comes between. */
  private record Shown(Optional<Bearing> now, Optional<Bearing> before) {
    Optional<Bearing> called(String alias) {
      return Stream.of(now, before)
          .flatMap(Optional::stream)
          .filter(one -> alias(one).equals(alias))
          .findFirst();
    }
  }

  private final boolean asksCallers;
  private volatile Shown shown = new Shown(Optional.empty(), Optional.empty());

  /** Callers are asked for a certificate. */
  public ServingKeys() {
    this(true);
  }

  /**
   * @param asksCallers whether callers are asked for a certificate; a browser then asks its user
   *     which of theirs to show
   */
  public ServingKeys(boolean asksCallers) {
    this.asksCallers = asksCallers;
  }

  public void show(Credential next) {
    show(next, List.of(next.certificate()));
  }

  /**
   * @param chain those that lead to an authority, its own first
   */
  public void show(Credential next, List<X509Certificate> chain) {
    Optional<Bearing> bearing = Optional.of(new Bearing(next, List.copyOf(chain)));
    if (!bearing.equals(shown.now())) {
      shown = new Shown(bearing, shown.now());
    }
  }

  /** Whether there is one to show. */
  public boolean present() {
    return shown.now().isPresent();
  }

  private static String alias(Bearing bearing) {
    return bearing.credential().certificate().getSerialNumber().toString();
  }

  HttpsConfigurator configurator() {
    SSLContext context;
    try {
      context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new Keys()}, new TrustManager[] {new AnyPeer()}, null);
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has TLS", e);
    }
    return new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters connection) {
        SSLParameters parameters = getSSLContext().getDefaultSSLParameters();
        parameters.setProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
        parameters.setWantClientAuth(asksCallers);
        connection.setSSLParameters(parameters);
      }
    };
  }

  private final class Keys extends X509ExtendedKeyManager {

    @Override
    public @Nullable String chooseEngineServerAlias(
        String keyType, Principal @Nullable [] issuers, SSLEngine engine) {
      return chosen(keyType);
    }

    @Override
    public @Nullable String chooseServerAlias(
        String keyType, Principal @Nullable [] issuers, Socket socket) {
      return chosen(keyType);
    }

    private @Nullable String chosen(String keyType) {
      return shown
          .now()
          .filter(one -> keyType.startsWith(one.credential().key().getAlgorithm()))
          .map(ServingKeys::alias)
          .orElse(null);
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      return shown
          .called(alias)
          .map(one -> one.chain().toArray(new X509Certificate[0]))
          .orElse(null);
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      return shown.called(alias).map(one -> one.credential().key()).orElse(null);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
      String alias = chosen(keyType);
      return alias == null ? null : new String[] {alias};
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }
  }

  /** Names no authorities, so that every caller shows the certificate it has. */
  private static final class AnyPeer extends X509ExtendedTrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {
      throw new UnsupportedOperationException("nobody is called from here");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) {
      throw new UnsupportedOperationException("nobody is called from here");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {
      throw new UnsupportedOperationException("nobody is called from here");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
