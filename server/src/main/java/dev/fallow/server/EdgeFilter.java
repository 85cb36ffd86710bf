package dev.fallow.server;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Turns away what the JDK's server lets pass and another server would read differently: where two
 * servers in a row disagree about a request, somebody can smuggle one.
 *
 * <p>One thing it cannot see: a bare carriage return inside a header's value has become a header of
 * its own by then. So no header may be believed to come from a proxy; who asks is proven otherwise.
 */
final class EdgeFilter extends Filter {

  private static final Pattern HOST =
      Pattern.compile("([A-Za-z0-9._~-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(:[0-9]{1,5})?");
  private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
  private static final Pattern METHOD = Pattern.compile("[A-Z]{1,16}");

  @Override
  public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
    Optional<String> wrong = wrongWith(exchange);
    if (wrong.isPresent()) {
      Wire.sendLast(exchange, Problem.badRequest(wrong.get()).reply());
    } else {
      chain.doFilter(exchange);
    }
  }

  private static Optional<String> wrongWith(HttpExchange exchange) {
    Map<String, List<String>> headers = exchange.getRequestHeaders();
    List<String> hosts = headers.getOrDefault("Host", List.of());
    List<String> lengths = headers.getOrDefault("Content-length", List.of());
    String protocol = exchange.getProtocol();
    if (!protocol.equals("HTTP/1.1") && !protocol.equals("HTTP/1.0")) {
      return Optional.of("only HTTP/1.1 is spoken here");
    }
    if (!METHOD.matcher(exchange.getRequestMethod()).matches()) {
      return Optional.of("this is no method");
    }
    if (hosts.size() > 1 || (hosts.isEmpty() && protocol.equals("HTTP/1.1"))) {
      return Optional.of("exactly one Host is needed");
    }
    if (!hosts.stream().allMatch(host -> HOST.matcher(host).matches())) {
      return Optional.of("the Host is malformed");
    }
    if (lengths.size() > 1 || !lengths.stream().allMatch(l -> LENGTH.matcher(l).matches())) {
      return Optional.of("the Content-Length is malformed");
    }
    if (headers.values().stream().flatMap(List::stream).anyMatch(EdgeFilter::hasControls)) {
      return Optional.of("a header holds a control character");
    }
    return wrongWith(exchange.getRequestURI(), hosts);
  }

  private static Optional<String> wrongWith(URI uri, List<String> hosts) {
    if (uri.getRawPath() == null || uri.getRawFragment() != null) {
      return Optional.of("the request's target is malformed");
    }
    boolean elsewhere =
        uri.getRawAuthority() != null
            && hosts.stream().noneMatch(host -> same(host, uri.getRawAuthority()));
    return elsewhere ? Optional.of("the request is for another host") : Optional.empty();
  }

  private static boolean same(String host, String other) {
    return host.toLowerCase(Locale.ROOT).equals(other.toLowerCase(Locale.ROOT));
  }

  private static boolean hasControls(String value) {
    return value == null || value.chars().anyMatch(c -> (c < 0x20 && c != '\t') || c == 0x7f);
  }

  @Override
  public String description() {
    return "turns away what two servers may read differently";
  }
}
