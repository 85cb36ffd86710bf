package dev.fallow.server;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Set;

/**
 * Turns away whoever asks too often, by their address. Who asks whether the server is well is
 * always answered: nobody may be able to have it restarted.
 */
final class RateFilter extends Filter {

  private static final Set<String> ALWAYS = Set.of("/healthz", "/readyz");

  private final Allowance allowance =
      new Allowance(HttpLimits.PER_SECOND, 4 * HttpLimits.PER_SECOND, 10_000);

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    boolean may =
        ALWAYS.contains(exchange.getRequestURI().getPath())
            || allowance.take(exchange.getRemoteAddress().getAddress(), System.nanoTime());
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
