package dev.fallow.app.autoscale;

import dev.fallow.adapters.kubernetes.AccountTokens;
import dev.fallow.adapters.kubernetes.ApiServices;
import dev.fallow.adapters.kubernetes.ClusterAuthentication;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.Reviews;
import dev.fallow.adapters.kubernetes.SecretStore;
import dev.fallow.app.log.Log;
import dev.fallow.core.autoscale.MetricBook;
import dev.fallow.server.HttpFront;
import dev.fallow.server.ServingKeys;
import dev.fallow.server.metricsapi.Gate;
import dev.fallow.server.metricsapi.MetricsApi;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The metrics APIs, served. */
public final class MetricsServer implements AutoCloseable {

  private static final Duration FAREWELL = Duration.ofSeconds(5);

  private final HttpFront front;
  private final MetricsUpkeep upkeep;
  private final Thread thread;
  private final CountDownLatch closed = new CountDownLatch(1);

  private MetricsServer(HttpFront front, MetricsUpkeep upkeep, Duration pace) {
    this.front = front;
    this.upkeep = upkeep;
    this.thread =
        Thread.ofVirtual().name("metrics-upkeep").unstarted(() -> keepUp(upkeep, closed, pace));
  }

  /**
   * Returns at once; it serves as soon as the cluster has given it what that takes.
   *
   * @param connection one {@linkplain KubernetesConnection#openForChanges for changes}: whoever
   *     asks for a number does not wait for many tries
   */
  public static MetricsServer start(
      KubernetesConnection connection, MetricsPlan plan, MetricBook book) {
    ServingKeys keys = new ServingKeys();
    MetricsUpkeep upkeep =
        new MetricsUpkeep(
            plan,
            new ClusterAuthentication(connection),
            new SecretStore(connection, plan.service().namespace(), MetricsPlan.SECRET),
            new Registrations(new ApiServices(connection), plan),
            keys);
    FormerOwners former =
        new FormerOwners(new AccountTokens(connection), plan.service().namespace());
    MetricsApi api =
        new MetricsApi(
            book,
            plan.groups(),
            new Gate(upkeep::frontProxy, new ClusterReviewer(new Reviews(connection))),
            upkeep::ready,
            group -> upkeep.former(group).map(former::of),
            Instant::now);
    HttpFront front =
        HttpFront.startSecure(
            plan.host(),
            plan.port(),
            keys,
            api,
            defect -> Log.error("a request for metrics failed", defect));
    MetricsServer server = new MetricsServer(front, upkeep, plan.pace());
    server.thread.start();
    Log.info(
        "fallow serves metrics",
        "apis",
        plan.groups(),
        "service",
        plan.service(),
        "port",
        front.port());
    return server;
  }

  private static void keepUp(MetricsUpkeep upkeep, CountDownLatch closed, Duration pace) {
    try {
      do {
        upkeep.turn(Instant.now());
      } while (!closed.await(pace.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether callers can be answered and told apart. */
  public boolean ready() {
    return upkeep.ready();
  }

  public int port() {
    return front.port();
  }

  /** The registrations stay: another replica, or the next start, answers behind them. */
  @Override
  public void close() {
    closed.countDown();
    boolean _ = front.stop(FAREWELL);
    thread.interrupt();
  }
}
