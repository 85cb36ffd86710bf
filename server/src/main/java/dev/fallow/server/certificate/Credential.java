package dev.fallow.server.certificate;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A certificate and the key to it. Keys are on the curve P-256, which every TLS speaks.
 *
 * @param key a secret
 */
public record Credential(X509Certificate certificate, PrivateKey key) {

  /** Clocks differ: a certificate is good from a little before it was made. */
  private static final Duration LEEWAY = Duration.ofHours(1);

  /** One that signs others and itself. */
  public static Credential authority(String name, Instant now, Duration validity) {
    KeyPair keys = newKeys();
    return new Credential(
        new CertificateForm(name, now.minus(LEEWAY), now.plus(validity))
            .authority()
            .signed(keys.getPublic(), Optional.empty(), name, keys.getPrivate()),
        keys.getPrivate());
  }

  /** For a server that is called by these names. */
  public Credential server(List<String> hosts, Instant now, Duration validity) {
    return issued(
        new CertificateForm(hosts.getFirst(), now.minus(LEEWAY), now.plus(validity)).server(hosts));
  }

  /** For somebody who calls. */
  public Credential client(String name, Instant from, Instant until) {
    return issued(new CertificateForm(name, from, until).client());
  }

  private Credential issued(CertificateForm form) {
    KeyPair keys = newKeys();
    return new Credential(
        form.signed(
            keys.getPublic(),
            Optional.of(certificate.getPublicKey()),
            CommonName.of(certificate).orElseThrow(),
            key),
        keys.getPrivate());
  }

  /** Whether the key is the certificate's, which it is not while one of two files is replaced. */
  public boolean fits() {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    try {
      byte[] anything = {1, 2, 3};
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(anything);
      byte[] signature = signing.sign();
      Signature checking = Signature.getInstance(algorithm);
      checking.initVerify(certificate.getPublicKey());
      checking.update(anything);
      return checking.verify(signature);
    } catch (GeneralSecurityException ofAnotherKind) {
      return false;
    }
  }

  private static KeyPair newKeys() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every Java has P-256", e);
    }
  }

  /** Without the key. */
  @Override
  public String toString() {
    return String.valueOf(certificate.getSubjectX500Principal());
  }
}
