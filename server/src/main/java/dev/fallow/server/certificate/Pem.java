package dev.fallow.server.certificate;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Certificates and keys as text. */
public final class Pem {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]{1,40})-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");

  private Pem() {}

  public static String of(X509Certificate certificate) {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  public static String of(PrivateKey key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  private static String block(String kind, byte[] content) {
    String lines =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(content);
    return "-----BEGIN " + kind + "-----\n" + lines + "\n-----END " + kind + "-----\n";
  }

  /** Those that can be read; what else is in the text is passed over. */
  public static List<X509Certificate> certificates(String text) {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      if (block.group(1).equals("CERTIFICATE")) {
        certificate(block.group(2)).ifPresent(certificates::add);
      }
    }
    return certificates;
  }

  private static Optional<X509Certificate> certificate(String base64) {
    try {
      return CertificateFactory.getInstance("X.509")
                  .generateCertificate(
                      new ByteArrayInputStream(Base64.getMimeDecoder().decode(base64)))
              instanceof X509Certificate certificate
          ? Optional.of(certificate)
          : Optional.empty();
    } catch (CertificateException | IllegalArgumentException unreadable) {
      return Optional.empty();
    }
  }

  /** A key in PKCS #8, of a kind that TLS uses. */
  public static Optional<PrivateKey> key(String text) {
    for (Matcher block = BLOCK.matcher(text); block.find(); ) {
      if (block.group(1).equals("PRIVATE KEY")) {
        try {
          return key(Base64.getMimeDecoder().decode(block.group(2)));
        } catch (IllegalArgumentException unreadable) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<PrivateKey> key(byte[] encoded) {
    for (String algorithm : List.of("EC", "RSA", "EdDSA")) {
      try {
        return Optional.of(
            KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded)));
      } catch (GeneralSecurityException another) {
        // Only trying tells which kind it is.
      }
    }
    return Optional.empty();
  }
}
