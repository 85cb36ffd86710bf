package dev.fallow.adapters.notify;

import dev.fallow.adapters.TrustedCertificates;
import dev.fallow.core.Unavailable;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * How the outside is reached.
 *
 * @param environment where HTTPS_PROXY, HTTP_PROXY and NO_PROXY are looked for
 * @param caFile certificates in PEM form to trust beside the system's own
 * @param connectTimeout to wait for a connection
 * @param wholeTimeout for one attempt from beginning to end
 */
public record Network(
    Map<String, String> environment,
    Optional<Path> caFile,
    Duration connectTimeout,
    Duration wholeTimeout) {

  public Network {
    environment = Map.copyOf(environment);
    if (!connectTimeout.isPositive() || !wholeTimeout.isPositive()) {
      throw new IllegalArgumentException("time-outs must be positive");
    }
  }

  /** 5 s to connect, 10 s for the whole of it. */
  public static Network of(Map<String, String> environment, Optional<Path> caFile) {
    return new Network(environment, caFile, Duration.ofSeconds(5), Duration.ofSeconds(10));
  }

  /**
   * By way of the environment's proxy, and nowhere it is sent on to.
   *
   * @throws Unavailable if the certificates to trust cannot be read
   * @throws IllegalArgumentException if the environment's proxy cannot be read
   */
  public HttpClient client() {
    EnvironmentProxies proxies = new EnvironmentProxies(environment);
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .proxy(proxies)
            .sslContext(tls())
            .connectTimeout(connectTimeout);
    proxies.credentials().ifPresent(builder::authenticator);
    return builder.build();
  }

  /**
   * @throws Unavailable if the certificates cannot be read
   */
  SSLContext tls() {
    try {
      return caFile.isPresent()
          ? TrustedCertificates.besideTheSystems(caFile.get())
          : SSLContext.getDefault();
    } catch (IOException | GeneralSecurityException e) {
      throw new Unavailable(
          "notify",
          "the certificates in "
              + caFile.map(Path::toString).orElse("the system's store")
              + " cannot be read; a file with certificates in PEM form is expected",
          false,
          e);
    }
  }

  /** Without the environment, which is full of secrets. */
  @Override
  public String toString() {
    return "Network[caFile=" + caFile.map(Path::toString).orElse("") + "]";
  }
}
