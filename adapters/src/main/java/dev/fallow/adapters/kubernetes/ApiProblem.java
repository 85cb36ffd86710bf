package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says to people what is wrong with the API server, and what to do about it. */
final class ApiProblem {

  private static final String SOURCE = "kubernetes";

  private ApiProblem() {}

  /** No answer at all, or one that broke off. */
  static Unavailable unreachable(URI server, Throwable failure) {
    String where = "the API server " + server;
    if (caused(failure, CertificateException.class) || caused(failure, SSLException.class)) {
      return new Unavailable(
          SOURCE,
          where
              + " cannot be trusted ("
              + reasonOf(failure)
              + "); check certificate-authority and server in the kubeconfig",
          false,
          failure);
    }
    return new Unavailable(SOURCE, where + " " + silence(failure), true, failure);
  }

  private static String silence(Throwable failure) {
    if (caused(failure, UnknownHostException.class)
        || caused(failure, UnresolvedAddressException.class)) {
      return "has a host name that nobody knows; check network and VPN, or choose another"
          + " --context";
    }
    if (caused(failure, HttpTimeoutException.class) || caused(failure, TimeoutException.class)) {
      return "did not answer in time; check network and VPN, or choose another --context";
    }
    if (caused(failure, ConnectException.class) || caused(failure, NoRouteToHostException.class)) {
      return "refuses the connection; check that the cluster runs, or choose another --context";
    }
    return "broke off (" + reasonOf(failure) + "); try again";
  }

  /** An answer that is not what was asked for. */
  static Unavailable refused(ApiRefusal refusal) {
    String said = Objects.requireNonNullElse(refusal.getMessage(), "");
    return switch (refusal.status()) {
      case 401 ->
          new Unavailable(
              SOURCE,
              "the API server does not accept the credentials; log in again, or choose another"
                  + " --context (a credential plugin of the kubeconfig may have failed)",
              false,
              refusal);
      case 403 -> new Unavailable(SOURCE, "the API server forbids it: " + said, false, refusal);
      default ->
          new Unavailable(
              SOURCE,
              "the API server answers with status " + refusal.status() + ": " + said,
              refusal.status() == 410 || refusal.status() == 429 || refusal.status() >= 500,
              refusal);
    };
  }

  /** The innermost message: that of the wrappers says less. */
  static String reasonOf(Throwable failure) {
    Throwable innermost = failure;
    for (int depth = 0; depth < 20 && innermost.getCause() != null; depth++) {
      innermost = innermost.getCause();
    }
    String message = innermost.getMessage();
    return message == null || message.isEmpty() ? innermost.getClass().getSimpleName() : message;
  }

  private static boolean caused(@Nullable Throwable failure, Class<? extends Throwable> kind) {
    Throwable here = failure;
    for (int depth = 0; depth < 20 && here != null; depth++) {
      if (kind.isInstance(here)) {
        return true;
      }
      here = here.getCause();
    }
    return false;
  }
}
