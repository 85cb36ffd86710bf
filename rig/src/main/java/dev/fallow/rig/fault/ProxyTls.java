package dev.fallow.rig.fault;

import dev.fallow.rig.RigException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The API server's own certificate towards clients, and trust in its authority towards it. */
final class ProxyTls {
  private static final char[] NO_PASSWORD = {};

  private ProxyTls() {}

  static SSLContext of(Path certificates) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry("authority", certificate(certificates.resolve("ca.crt")));
      store.setKeyEntry(
          "server",
          key(certificates.resolve("apiserver.key")),
          NO_PASSWORD,
          new Certificate[] {certificate(certificates.resolve("apiserver.crt"))});
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, NO_PASSWORD);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw new RigException("cannot use the certificates in " + certificates, e);
    }
  }

  private static Certificate certificate(Path pem) throws IOException, GeneralSecurityException {
    try (InputStream in = new ByteArrayInputStream(Files.readAllBytes(pem))) {
      return CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static PrivateKey key(Path pem) throws IOException, GeneralSecurityException {
    String base64 = Files.readString(pem).replaceAll("-----[A-Z ]+-----|\\s", "");
    byte[] der = Base64.getDecoder().decode(base64);
    return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
  }
}
