package dev.fallow.server.certificate;

import static dev.fallow.server.certificate.Der.bits;
import static dev.fallow.server.certificate.Der.explicit;
import static dev.fallow.server.certificate.Der.implicit;
import static dev.fallow.server.certificate.Der.integer;
import static dev.fallow.server.certificate.Der.name;
import static dev.fallow.server.certificate.Der.octets;
import static dev.fallow.server.certificate.Der.sequence;
import static dev.fallow.server.certificate.Der.set;
import static dev.fallow.server.certificate.Der.text;
import static dev.fallow.server.certificate.Der.time;
import static dev.fallow.server.certificate.Der.truth;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a certificate says, before somebody signs it; RFC 5280. */
final class CertificateForm {

  private static final byte[] ECDSA_WITH_SHA256 = sequence(name("1.2.840.10045.4.3.2"));
  private static final String COMMON_NAME = "2.5.4.3";
  private static final String SUBJECT_KEY = "2.5.29.14";
  private static final String KEY_USAGE = "2.5.29.15";
  private static final String OTHER_NAMES = "2.5.29.17";
  private static final String CONSTRAINTS = "2.5.29.19";
  private static final String AUTHORITY_KEY = "2.5.29.35";
  private static final String PURPOSES = "2.5.29.37";
  private static final String TO_SERVE = "1.3.6.1.5.5.7.3.1";
  private static final String TO_CALL = "1.3.6.1.5.5.7.3.2";

  private static final byte[] SIGNS_DATA = bits(7, new byte[] {(byte) 0x80});
  private static final byte[] SIGNS_CERTIFICATES = bits(2, new byte[] {(byte) 0x84});

  private final String subject;
  private final Instant from;
  private final Instant until;
  private final List<byte[]> extensions = new ArrayList<>();

  CertificateForm(String subject, Instant from, Instant until) {
    this.subject = subject;
    this.from = from;
    this.until = until;
  }

  CertificateForm authority() {
    extensions.add(critical(CONSTRAINTS, sequence(truth())));
    extensions.add(critical(KEY_USAGE, SIGNS_CERTIFICATES));
    return this;
  }

  CertificateForm server(List<String> hosts) {
    byte[][] names =
        hosts.stream()
            .map(host -> implicit(2, host.getBytes(StandardCharsets.US_ASCII)))
            .toArray(byte[][]::new);
    extensions.add(extension(OTHER_NAMES, sequence(names)));
    return leaf(TO_SERVE);
  }

  CertificateForm client() {
    return leaf(TO_CALL);
  }

  private CertificateForm leaf(String purpose) {
    extensions.add(critical(CONSTRAINTS, sequence()));
    extensions.add(critical(KEY_USAGE, SIGNS_DATA));
    extensions.add(extension(PURPOSES, sequence(name(purpose))));
    return this;
  }

  /**
   * @param authorityKey the signer's public key; without one the certificate signs itself
   */
  X509Certificate signed(
      PublicKey key, Optional<PublicKey> authorityKey, String issuer, PrivateKey signer) {
    try {
      extensions.add(extension(SUBJECT_KEY, octets(keyId(key))));
      extensions.add(
          extension(AUTHORITY_KEY, sequence(implicit(0, keyId(authorityKey.orElse(key))))));
      byte[] statement =
          sequence(
              explicit(0, integer(BigInteger.TWO)),
              integer(new BigInteger(127, new SecureRandom()).setBit(126)),
              ECDSA_WITH_SHA256,
              called(issuer),
              sequence(time(from), time(until)),
              called(subject),
              key.getEncoded(),
              explicit(3, sequence(extensions.toArray(byte[][]::new))));
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(signer);
      signature.update(statement);
      byte[] whole = sequence(statement, ECDSA_WITH_SHA256, bits(0, signature.sign()));
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(whole));
    } catch (GeneralSecurityException unusable) {
      throw new IllegalArgumentException("this key signs no certificate", unusable);
    }
  }

  private static byte[] called(String name) {
    return sequence(set(sequence(name(COMMON_NAME), text(name))));
  }

  private static byte[] keyId(PublicKey key) throws GeneralSecurityException {
    return MessageDigest.getInstance("SHA-1").digest(key.getEncoded());
  }

  private static byte[] extension(String kind, byte[] content) {
    return sequence(name(kind), octets(content));
  }

  private static byte[] critical(String kind, byte[] content) {
    return sequence(name(kind), truth(), octets(content));
  }
}
