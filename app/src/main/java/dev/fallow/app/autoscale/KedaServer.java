package dev.fallow.app.autoscale;

import dev.fallow.app.log.Log;
import dev.fallow.core.autoscale.MetricBook;
import dev.fallow.server.GrpcFront;
import dev.fallow.server.GrpcKeys;
import dev.fallow.server.keda.Scaler;
import dev.fallow.server.keda.ScalerService;
import java.time.Instant;
import java.util.Optional;

/**
 * KEDA's external scaler, served. KEDA calls without a user, so whoever may reach the port may read
 * the numbers of every namespace: a certificate of the caller's, or the network, has to say who.
 */
public final class KedaServer implements AutoCloseable {

  private final GrpcFront front;

  private KedaServer(GrpcFront front) {
    this.front = front;
  }

  /**
   * @param keys to serve over TLS with; closed with this
   * @param callersAreKnown whether only holders of a certificate may call
   */
  public static KedaServer start(
      String host, int port, Optional<GrpcKeys> keys, boolean callersAreKnown, MetricBook book) {
    ScalerService service =
        new ScalerService(
            new Scaler(book, Instant::now),
            ScalerService.USUAL_PACE,
            defect -> Log.error("a call of KEDA's failed", defect));
    KedaServer server = new KedaServer(GrpcFront.start(host, port, keys, service.definition()));
    Log.info("fallow serves KEDA", "port", server.port(), "tls", keys.isPresent());
    if (!callersAreKnown) {
      Log.warn(
          "everybody who reaches the port of KEDA's scaler may read the numbers of every namespace;"
              + " give --keda-client-ca-file, or let a NetworkPolicy admit KEDA alone");
    }
    return server;
  }

  public int port() {
    return front.port();
  }

  @Override
  public void close() {
    front.close();
  }
}
