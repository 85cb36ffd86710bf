package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.prometheus.PrometheusTransport.Reply;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.ZipException;

/**
 * Why a reply is no answer, for people: what goes after the address.
 *
 * @param retryable whether trying again can help
 * @param tooManySamples whether a shorter range may be answered
 */
record ReplyProblem(String sentence, boolean retryable, boolean tooManySamples) {

  private static final int UNPROCESSABLE = 422;
  private static final long LONGEST_ERROR = 64 * 1024;

  /** What the status and the headers already say. */
  static Optional<ReplyProblem> of(Reply reply) {
    int status = reply.status();
    if (status == 200) {
      return ofContentType(reply.contentType());
    }
    if (status >= 300 && status < 400) {
      return Optional.of(
          lasting("points elsewhere, to " + target(reply) + "; give that address if it is right"));
    }
    String said = serverSaid(reply);
    return Optional.of(
        switch (status) {
          case 400 -> lasting("refuses the request as wrong (400)" + said);
          case 401 ->
              lasting(
                  "wants to know who asks (401); give a token with --prometheus-token,"
                      + " --prometheus-token-file or the variable PROMETHEUS_TOKEN");
          case 403 ->
              lasting(
                  "does not let this token read (403)"
                      + said
                      + "; give its account the right, on OpenShift the role"
                      + " cluster-monitoring-view");
          case 404, 405 ->
              lasting(
                  "has no query API there ("
                      + status
                      + "); check the path prefix, such as /prometheus, and the port, such as that"
                      + " of the Thanos querier");
          case UNPROCESSABLE ->
              new ReplyProblem(
                  "cannot carry out the query (422)" + said,
                  true,
                  said.toLowerCase(Locale.ROOT).contains("samples"));
          case 429 -> passing("asks for fewer requests (429); try again later");
          case 503 -> passing("is starting or overloaded (503)" + said + "; try again");
          case 502, 504 -> passing("is not behind what answers for it (" + status + "); try again");
          default ->
              status >= 500
                  ? passing("failed (" + status + ")" + said + "; try again, then see its log")
                  : lasting("gave an answer that no Prometheus gives (" + status + ")" + said);
        });
  }

  private static Optional<ReplyProblem> ofContentType(String contentType) {
    String type = contentType.toLowerCase(Locale.ROOT);
    if (type.isBlank() || type.contains("json")) {
      return Optional.empty();
    }
    if (type.contains("html")) {
      return Optional.of(
          lasting(
              "shows a web page instead of an answer, perhaps to log in; give the address of the"
                  + " query API and a token"));
    }
    return Optional.of(
        lasting(
            "answers with "
                + Words.abridged(contentType)
                + " instead of JSON; check that the address is that of the query API"));
  }

  /** What went wrong while the answer was read. */
  static ReplyProblem of(IOException e) {
    return switch (e) {
      case ReplyTooLarge large -> tooLarge(String.valueOf(large.getMessage()));
      case MalformedReply other ->
          lasting(
              "gave an answer that is not one of the query API: "
                  + other.getMessage()
                  + "; check the address");
      case EOFException cut -> passing("cut its answer off; try again");
      case NotJson other ->
          lasting(
              "gave an answer that is not JSON ("
                  + other.getMessage()
                  + "); check that the address is that of the query API");
      case SocketTimeoutException slow ->
          passing(
              "did not complete its answer in the time allowed; it may be overloaded: try again, or"
                  + " allow more with --prometheus-timeout");
      case ZipException other -> passing("gave a broken gzip answer; try again");
      default ->
          passing(
              "broke off while it answered ("
                  + Words.abridged(String.valueOf(e.getMessage()))
                  + "); try again");
    };
  }

  private static ReplyProblem tooLarge(String what) {
    return lasting(
        "gave more than this process can hold: "
            + what
            + "; give it more memory, or shorten the window");
  }

  /** The error that the API reports beside a status, if it does. */
  private static String serverSaid(Reply reply) {
    if (!reply.contentType().toLowerCase(Locale.ROOT).contains("json")) {
      return "";
    }
    try {
      return new MatrixParser(
              new SampleRange(0, 0),
              Instant.EPOCH,
              ReadLimits.forHeap(0),
              new StringPool(LONGEST_ERROR),
              (metric, labels, samples) -> {})
          .parse(new BoundedBody(reply.body(), LONGEST_ERROR))
          .failure()
          .map(said -> ": " + Words.abridged(said))
          .orElse("");
    } catch (IOException unreadable) {
      return "";
    }
  }

  /** Where a redirect leads, without what a log-in page may carry in its query. */
  private static String target(Reply reply) {
    String location = reply.location().orElse("");
    try {
      URI uri = URI.create(location);
      String path = uri.getRawPath() == null ? "" : uri.getRawPath();
      String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
      String host = uri.getHost() == null ? "" : uri.getScheme() + "://" + uri.getHost() + port;
      return Words.abridged(host + path).isEmpty() ? "nowhere" : Words.abridged(host + path);
    } catch (IllegalArgumentException unreadable) {
      return "an address that cannot be read";
    }
  }

  private static ReplyProblem lasting(String sentence) {
    return new ReplyProblem(sentence, false, false);
  }

  private static ReplyProblem passing(String sentence) {
    return new ReplyProblem(sentence, true, false);
  }
}
