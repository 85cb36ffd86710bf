package dev.fallow.core.idle;

import java.time.Duration;
import java.util.List;

/**
 * What a source could say of the fleet's use. Only a complete answer can prove idleness; what a
 * partial one shows of activity still counts.
 */
public sealed interface Usage {

  List<UsageSeries> series();

  /**
   * @param reach how long a window was read: of a longer one something may be missing
   */
  record Complete(List<UsageSeries> series, Duration reach) implements Usage {

    private static final Duration ALL_THERE_IS = Duration.ofSeconds(Long.MAX_VALUE);

    public Complete {
      series = List.copyOf(series);
    }

    public Complete(List<UsageSeries> series) {
      this(series, ALL_THERE_IS);
    }

    /** The same, of which no more was asked for. */
    public Complete within(Duration window) {
      return new Complete(series, window.compareTo(reach) < 0 ? window : reach);
    }
  }

  /** The source answered and warned that something is missing. */
  record Partial(List<UsageSeries> series, String warning) implements Usage {
    public Partial {
      series = List.copyOf(series);
    }
  }

  /**
   * The source did not answer.
   *
   * @param retryable whether asking again can help
   */
  record Missing(String failure, boolean retryable) implements Usage {

    /** For a failure that may pass. */
    public Missing(String failure) {
      this(failure, true);
    }

    @Override
    public List<UsageSeries> series() {
      return List.of();
    }
  }
}
