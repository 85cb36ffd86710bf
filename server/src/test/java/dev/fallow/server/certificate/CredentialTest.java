package dev.fallow.server.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SignatureException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialTest {

  private static final Instant NOW = Instant.now();
  private static final List<String> HOSTS =
      List.of("fallow-metrics.fallow-system.svc", "fallow-metrics.fallow-system.svc.cluster.local");

  @Test
  void theJdkTrustsWhatAnAuthoritySigned() throws Exception {
    Credential authority = Credential.authority("test-ca", NOW, Duration.ofDays(10));
    X509Certificate server = authority.server(HOSTS, NOW, Duration.ofDays(5)).certificate();
    PKIXParameters trust =
        new PKIXParameters(Set.of(new TrustAnchor(authority.certificate(), null)));
    trust.setRevocationEnabled(false);
    CertPathValidator.getInstance("PKIX")
        .validate(CertificateFactory.getInstance("X.509").generateCertPath(List.of(server)), trust);
    assertThat(server.getSubjectAlternativeNames())
        .extracting(name -> String.valueOf(name.get(1)))
        .containsExactlyElementsOf(HOSTS);
    assertThat(server.getBasicConstraints()).isEqualTo(-1);
    assertThat(server.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(authority.certificate().getBasicConstraints()).isPositive();
    assertThat(CommonName.of(server)).contains(HOSTS.getFirst());
  }

  @Test
  void anotherAuthorityOfTheSameNameDidNotSignIt() {
    Credential authority = Credential.authority("test-ca", NOW, Duration.ofDays(10));
    Credential other = Credential.authority("test-ca", NOW, Duration.ofDays(10));
    X509Certificate server = authority.server(HOSTS, NOW, Duration.ofDays(5)).certificate();
    assertThatThrownBy(() -> server.verify(other.certificate().getPublicKey()))
        .isInstanceOf(SignatureException.class);
  }

  @Test
  void yearsBeyondTwoDigitsAreWritten() {
    Credential authority = Credential.authority("test-ca", NOW, Duration.ofDays(365 * 40));
    assertThat(authority.certificate().getNotAfter().toInstant())
        .isBetween(
            NOW.plus(Duration.ofDays(365 * 40 - 1)), NOW.plus(Duration.ofDays(365 * 40 + 1)));
  }

  @Test
  void keysAndCertificatesSurviveAsText() {
    Credential authority = Credential.authority("test-ca", NOW, Duration.ofDays(10));
    assertThat(Pem.certificates("junk\n" + Pem.of(authority.certificate()).repeat(2)))
        .containsExactly(authority.certificate(), authority.certificate());
    assertThat(Pem.key(Pem.of(authority.key()))).contains(authority.key());
    assertThat(Pem.certificates("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"))
        .isEmpty();
    assertThat(Pem.key("-----BEGIN PRIVATE KEY-----\nA\n-----END PRIVATE KEY-----")).isEmpty();
  }

  @Test
  void aKeyIsNeverPartOfItsText() {
    Credential authority = Credential.authority("test-ca", NOW, Duration.ofDays(10));
    assertThat(authority.toString()).isEqualTo("CN=test-ca");
    assertThat(ServingSecret.create(HOSTS, NOW).toString()).doesNotContain("PRIVATE", "EC");
  }

  @Test
  @Tag("rig")
  void opensslTrustsItToo(@TempDir Path folder) throws Exception {
    Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "there is no openssl");
    ServingSecret secret = ServingSecret.create(HOSTS, NOW);
    Path authority = Files.writeString(folder.resolve("ca.crt"), secret.bundle());
    Path server =
        Files.writeString(folder.resolve("tls.crt"), Pem.of(secret.serving().certificate()));
    Path key = Files.writeString(folder.resolve("tls.key"), Pem.of(secret.serving().key()));
    assertThat(
            openssl(
                "verify",
                "-x509_strict",
                "-purpose",
                "sslserver",
                "-verify_hostname",
                HOSTS.getFirst(),
                "-CAfile",
                authority.toString(),
                server.toString()))
        .contains("tls.crt: OK");
    assertThat(openssl("pkey", "-in", key.toString(), "-pubout"))
        .isEqualTo(openssl("x509", "-in", server.toString(), "-noout", "-pubkey"));
  }

  private static String openssl(String... words) throws IOException, InterruptedException {
    List<String> command = new java.util.ArrayList<>(List.of("/usr/bin/openssl"));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
