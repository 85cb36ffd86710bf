package dev.fallow.adapters.prometheus;

import dev.fallow.adapters.prometheus.PrometheusTransport.Reply;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Feed;
import dev.fallow.core.autoscale.Readings;
import dev.fallow.core.autoscale.SampleSource;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The samples of the last minutes from Prometheus: one query for a feed, whoever asks for it. A
 * range of raw samples tells when each was taken; the value of an instant query does not.
 *
 * <p>An answer that comes with a warning is a part. Of devices it is taken as one: pods are known,
 * and so is which of them were not measured. Who else would have told something nobody knows, so of
 * what pods tell themselves a part is as good as no answer.
 */
public final class PrometheusSampleSource implements SampleSource, AutoCloseable {

  private static final Duration NAMES_SINCE = Duration.ofMinutes(10);

  /** Names come from others, and this one might be a histogram of the whole cluster. */
  private static final int MOST_SERIES_TOLD_BY_PODS = 20_000;

  private final PrometheusTransport transport;
  private final ReadLimits limits;

  /**
   * @param transport closed with this
   */
  public PrometheusSampleSource(PrometheusTransport transport, ReadLimits limits) {
    this.transport = transport;
    this.limits = limits;
  }

  /**
   * Straight over HTTP, within what this process can hold.
   *
   * @throws Unavailable if the certificates to trust cannot be read
   */
  public PrometheusSampleSource(PrometheusAccess access) {
    this(new HttpTransport(access), ReadLimits.forThisProcess());
  }

  @Override
  public Readings.Seen read(Feed feed, Instant at) {
    ReadLimits most = feed.ofDevices() ? limits : limits.withSeries(MOST_SERIES_TOLD_BY_PODS);
    SeriesStore store = new SeriesStore(most, true);
    long until = at.toEpochMilli();
    SampleQueries queries = new SampleQueries(transport, most, store);
    queries.read(
        List.of(
            new SampleQueries.Wanted(
                feed.names(), new SampleRange(until - WINDOW.toMillis(), until))));
    Optional<String> warning = queries.warning();
    if (warning.isPresent() && !feed.ofDevices()) {
      throw unavailable(
          new ReplyProblem(
              "answered a part of " + feed.name() + ": " + Words.abridged(warning.get()),
              true,
              false));
    }
    return new Readings.Seen(at, store.series(), warning.isEmpty());
  }

  @Override
  public Set<String> names(Instant at) {
    String wanted = "{__name__=~\"(" + String.join("|", Feed.PREFIXES) + ").+\"}";
    String path =
        "/api/v1/label/__name__/values?match[]="
            + URLEncoder.encode(wanted, StandardCharsets.UTF_8)
            + "&start="
            + at.minus(NAMES_SINCE).getEpochSecond()
            + "&end="
            + at.getEpochSecond();
    try (Reply reply = transport.get(path.replace("[]", "%5B%5D"))) {
      Optional<ReplyProblem> problem = ReplyProblem.of(reply);
      if (problem.isPresent()) {
        throw unavailable(problem.get());
      }
      return NameList.parse(new BoundedBody(reply.body(), NameList.MOST_BYTES));
    } catch (IOException broken) {
      throw unavailable(ReplyProblem.of(broken));
    }
  }

  private Unavailable unavailable(ReplyProblem problem) {
    return new Unavailable(
        "prometheus",
        "Prometheus at " + transport.address() + " " + problem.sentence(),
        problem.retryable());
  }

  @Override
  public void close() {
    transport.close();
  }
}
