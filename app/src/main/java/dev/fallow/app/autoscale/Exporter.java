package dev.fallow.app.autoscale;

import dev.fallow.app.log.Log;
import dev.fallow.core.autoscale.FleetUse;
import dev.fallow.core.autoscale.Numbers;
import dev.fallow.server.HttpFront;
import dev.fallow.server.Route;
import dev.fallow.server.Router;
import dev.fallow.server.health.Health;
import dev.fallow.server.health.HealthRoutes;
import dev.fallow.server.metrics.GpuUseMetrics;
import dev.fallow.server.metrics.MetricsRoutes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The fleet's use for Prometheus, from the same numbers that autoscalers get. It stands by itself
 * ({@link #start}) or adds its series to somebody else's ({@link #metrics}).
 */
public final class Exporter implements AutoCloseable {

  private final LiveMetricBook book;
  private final GpuUseMetrics metrics;
  private @Nullable Numbers counted;
  private Optional<FleetUse> use = Optional.empty();
  private @Nullable HttpFront front;

  /**
   * @param book whose feeds this asks for from now on
   */
  public Exporter(LiveMetricBook book) {
    this(book.always(FleetUse.feeds()), true);
  }

  private Exporter(LiveMetricBook book, boolean whole) {
    this.book = book;
    this.metrics = new GpuUseMetrics(whole ? this::use : Optional::empty, book::dropped);
  }

  /** One that only counts the samples that could not be true, and asks for nothing. */
  public static Exporter ofDrops(LiveMetricBook book) {
    return new Exporter(book, false);
  }

  public GpuUseMetrics metrics() {
    return metrics;
  }

  /**
   * Serves /metrics, /healthz and /readyz.
   *
   * @return the port, which is chosen if 0 was asked for
   */
  public synchronized int start(String host, int port, Health health) {
    List<Route> routes = new ArrayList<>(HealthRoutes.of(health));
    routes.addAll(MetricsRoutes.of(metrics));
    front =
        HttpFront.start(
            host, port, new Router(routes), defect -> Log.error("a request failed", defect));
    health.started();
    return front.port();
  }

  /** Counted once for each reading, however often it is scraped. */
  private synchronized Optional<FleetUse> use() {
    Optional<Numbers> latest = book.numbers();
    if (latest.isEmpty()) {
      return Optional.empty();
    }
    if (counted != latest.get()) {
      counted = latest.get();
      use = Optional.of(FleetUse.of(latest.get()));
    }
    return use;
  }

  @Override
  public synchronized void close() {
    if (front != null) {
      front.stop(Duration.ofSeconds(5));
    }
  }
}
