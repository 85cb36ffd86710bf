package dev.fallow.adapters.prometheus;

import java.util.Optional;

/**
 * What an answer says of itself, beside its series.
 *
 * @param failure why it is no success, in the server's words or in ours
 * @param warning why something may be missing from it
 */
record MatrixAnswer(Optional<String> failure, Optional<String> warning) {

  /** Collects the parts of the envelope, in whatever order they come. */
  static final class Builder {

    private String status = "";
    private String error = "";
    private String resultType = "";
    private Optional<String> warning = Optional.empty();
    private boolean result;
    private boolean shaped = true;

    /** Of two that contradict each other the worse one counts. */
    void status(String said) {
      if (status.isEmpty() || !said.equals("success")) {
        status = said;
      }
    }

    void error(String said) {
      error = said;
    }

    void resultType(String said) {
      if (resultType.isEmpty() || !said.equals("matrix")) {
        resultType = said;
      }
    }

    /** A result is there, and it has or has not the shape of a matrix. */
    void result(boolean ofMatrix) {
      result = true;
      shaped &= ofMatrix;
    }

    void warning(String said) {
      if (warning.isEmpty()) {
        warning = Optional.of(said.isBlank() ? "without a reason" : said);
      }
    }

    /** VictoriaMetrics says in a field of its own that some of its storages did not answer. */
    void partial(boolean said) {
      if (said) {
        warning("some storages did not answer (isPartial)");
      }
    }

    MatrixAnswer build() {
      return new MatrixAnswer(failure(), warning);
    }

    private Optional<String> failure() {
      if (!status.equals("success")) {
        String said = error.isEmpty() ? "status " + (status.isEmpty() ? "missing" : status) : error;
        return Optional.of("it reports an error: " + said);
      }
      if (!error.isEmpty()) {
        return Optional.of("it reports an error: " + error);
      }
      if (!result) {
        return Optional.of("it has no result");
      }
      if (!resultType.equals("matrix")) {
        String said = resultType.isEmpty() ? "unnamed" : resultType;
        return Optional.of("its result is of the type " + said + ", not matrix");
      }
      return shaped ? Optional.empty() : Optional.of("its result has not the form of a matrix");
    }
  }
}
