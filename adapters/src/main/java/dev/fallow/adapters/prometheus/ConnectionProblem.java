package dev.fallow.adapters.prometheus;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Says what a connection that did not come about means, and what to do about it. */
final class ConnectionProblem {

  private ConnectionProblem() {}

  /** What goes after the address: {@code cannot be reached: …}. */
  static String sentence(IOException e, PrometheusAccess access) {
    if (e instanceof HttpConnectTimeoutException) {
      return "cannot be reached: no connection within "
          + seconds(access.connectTimeout().toMillis())
          + "; check the address, the port and the network policies on the way";
    }
    if (e instanceof HttpTimeoutException) {
      return tooSlow(access);
    }
    if (cause(e, SSLException.class).isPresent()
        || cause(e, CertificateException.class).isPresent()) {
      return tls(e);
    }
    if (cause(e, UnresolvedAddressException.class).isPresent()
        || cause(e, UnknownHostException.class).isPresent()) {
      return "cannot be reached: the host name is unknown here; check the address, and whether it"
          + " is a name that only exists in the cluster";
    }
    if (cause(e, NoRouteToHostException.class).isPresent()) {
      return "cannot be reached: there is no route to the host; check the address and the network";
    }
    if (cause(e, ConnectException.class).isPresent()) {
      return "cannot be reached: the connection was refused; check the port and whether Prometheus"
          + " runs";
    }
    if (cause(e, EOFException.class).isPresent()) {
      return "closed the connection without an answer; check that the port speaks "
          + access.base().getScheme().toLowerCase(Locale.ROOT)
          + " and try again";
    }
    return "did not answer as a web server does (" + Words.abridged(e.toString()) + ")";
  }

  /** The sentence for an answer that was not complete in time. */
  static String tooSlow(PrometheusAccess access) {
    return "did not answer within "
        + seconds(access.requestTimeout().toMillis())
        + "; it may be overloaded: try again, or allow more with --prometheus-timeout";
  }

  private static String tls(IOException e) {
    if (cause(e, CertPathBuilderException.class).isPresent()) {
      return "shows a certificate of an authority that is not known here; name its certificate file"
          + " with --prometheus-tls-cert";
    }
    if (cause(e, CertificateExpiredException.class).isPresent()) {
      return "shows a certificate that has expired; renew it";
    }
    if (cause(e, CertificateNotYetValidException.class).isPresent()) {
      return "shows a certificate that is not valid yet; check the clocks";
    }
    Optional<CertificateException> certificate = cause(e, CertificateException.class);
    if (certificate.isPresent()) {
      return "shows a certificate for another host name; use the name that the certificate is for ("
          + Words.abridged(String.valueOf(certificate.get().getMessage()))
          + ")";
    }
    return "does not agree on TLS; check whether the port speaks http instead of https ("
        + Words.abridged(String.valueOf(e.getMessage()))
        + ")";
  }

  private static <T extends Throwable> Optional<T> cause(Throwable e, Class<T> kind) {
    int depth = 0;
    for (Throwable one = e; one != null && depth < 20; one = one.getCause(), depth++) {
      if (kind.isInstance(one)) {
        return Optional.of(kind.cast(one));
      }
    }
    return Optional.empty();
  }

  private static String seconds(long millis) {
    return millis % 1000 == 0 ? millis / 1000 + " s" : millis + " ms";
  }
}
