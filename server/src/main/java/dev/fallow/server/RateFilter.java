package dev.fallow.server;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Set;

/**
 * Turns away whoever asks too often. Who asks whether the server is well is always answered: nobody
 * may be able to have it restarted.
 */
final class RateFilter extends Filter {

  private static final Set<String> ALWAYS = Set.of("/healthz", "/readyz");

  private final Clients clients =
      new Clients(HttpLimits.PER_SECOND, HttpLimits.PER_SECOND_OF_ADDRESS);

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    boolean may =
        ALWAYS.contains(exchange.getRequestURI().getPath())
            || clients.may(
                exchange.getRemoteAddress().getAddress(),
                exchange.getRequestHeaders(),
                System.nanoTime());
    if (may) {
      chain.doFilter(exchange);
    } else {
      Wire.sendLast(exchange, Problem.tooOften().reply().with("Retry-After", "1"));
    }
  }

  @Override
  public String description() {
    return "turns away who asks too often";
  }
}
