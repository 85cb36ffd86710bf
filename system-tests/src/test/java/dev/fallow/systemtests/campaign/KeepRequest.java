package dev.fallow.systemtests.campaign;

import java.time.Instant;

/**
 * What the client that asks for keeps has written down.
 *
 * @param workload the root owner that is to be kept
 * @param answered when the answer had arrived
 * @param status the answer's HTTP status; 0 when there was none
 * @param ended when it was first asked to take the keep back, or {@code until}: what was answered
 *     badly may have been done
 */
public record KeepRequest(
    ObjectRef workload, Instant asked, Instant answered, int status, Instant until, Instant ended) {
  public boolean accepted() {
    return status / 100 == 2;
  }

  /** Asked to be taken back at a moment, whatever came of it. */
  public KeepRequest endedAt(Instant moment) {
    Instant first = moment.isBefore(ended) ? moment : ended;
    return new KeepRequest(workload, asked, answered, status, until, first);
  }

  /** When it binds. */
  public Span binding() {
    return new Span(answered, ended.isBefore(until) ? ended : until);
  }
}
