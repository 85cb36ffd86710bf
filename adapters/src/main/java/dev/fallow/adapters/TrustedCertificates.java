package dev.fallow.adapters;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Whom a TLS connection trusts. Shared by the adapters that speak TLS, which do not see each other.
 */
public final class TrustedCertificates {

  private TrustedCertificates() {}

  /**
   * Trusts what the system trusts, and the certificates in a file beside that.
   *
   * @param file certificates in PEM form
   */
  public static SSLContext besideTheSystems(Path file)
      throws IOException, GeneralSecurityException {
    List<Certificate> all = new ArrayList<>(systemCertificates());
    try (InputStream in = Files.newInputStream(file)) {
      all.addAll(read(in, file.toString()));
    }
    return context(trusting(all));
  }

  /**
   * Trusts these authorities and nobody else.
   *
   * @param pem certificates in PEM form
   */
  public static SSLContext only(String pem) throws IOException, GeneralSecurityException {
    return context(
        trusting(read(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)), "them")));
  }

  /** Trusts any certificate of any host. */
  public static SSLContext everybody() throws GeneralSecurityException {
    return context(new TrustManager[] {new Everybody()});
  }

  private static SSLContext context(TrustManager[] trust) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust, null);
    return context;
  }

  private static Collection<? extends Certificate> read(InputStream in, String place)
      throws IOException, GeneralSecurityException {
    Collection<? extends Certificate> found =
        CertificateFactory.getInstance("X.509").generateCertificates(in);
    if (found.isEmpty()) {
      throw new IOException("no certificate in " + place);
    }
    return found;
  }

  private static TrustManager[] trusting(Collection<? extends Certificate> certificates)
      throws IOException, GeneralSecurityException {
    List<Certificate> all = List.copyOf(certificates);
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    for (int i = 0; i < all.size(); i++) {
      store.setCertificateEntry("trusted-" + i, all.get(i));
    }
    return factory(store).getTrustManagers();
  }

  private static List<X509Certificate> systemCertificates() throws GeneralSecurityException {
    List<X509Certificate> found = new ArrayList<>();
    for (TrustManager manager : factory(null).getTrustManagers()) {
      if (manager instanceof X509TrustManager trust) {
        found.addAll(List.of(trust.getAcceptedIssuers()));
      }
    }
    return found;
  }

  private static TrustManagerFactory factory(@Nullable KeyStore store)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory;
  }

  /** Takes any certificate and, being of the extended kind, any host name as well. */
  private static final class Everybody extends X509ExtendedTrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
