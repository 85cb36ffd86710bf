package dev.fallow.server.access;

import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import java.util.List;
import java.util.Optional;

/**
 * Stands before every change: who is it, and do they mean it?
 *
 * @param origin of the page as people reach it, {@code https://gpus.example.com}, if that is
 *     another than the one that requests name
 */
public record Guard(Door door, Optional<String> origin) {

  /** Only a page of ours, or a program, can send this across origins. */
  private static final String OWN_HEADER = "X-Requested-With";

  /** Any browser sends one of these with a change that another's page asks it to make. */
  private static final List<String> BROWSERS =
      List.of("Origin", "Referer", "Cookie", "Sec-Fetch-Site", "Sec-Fetch-Mode");

  /** A bearer token on its way through the API server, which keeps Authorization to itself. */
  public static final String PROXIED_TOKEN = "X-Fallow-Authorization";

  public Guard(Door door) {
    this(door, Optional.empty());
  }

  /**
   * Somebody with a name whose own page or program has sent this. A bearer token proves nothing
   * here: a proxy in front may add one to whatever a browser sends.
   *
   * @throws Rejected if it may not be made
   */
  public Caller meant(Request request) {
    boolean browser = BROWSERS.stream().anyMatch(header -> request.header(header).isPresent());
    if (browser && request.header(OWN_HEADER).isEmpty()) {
      throw foreign("a change by a browser needs the header " + OWN_HEADER + ": fallow");
    }
    // A page of a neighbouring host is another's as well, though cookies go along with it.
    boolean elsewhere =
        request
            .header("Sec-Fetch-Site")
            .filter(site -> !site.equals("same-origin") && !site.equals("none"))
            .isPresent();
    if (elsewhere || !request.headerAll("Origin").stream().allMatch(one -> isOurs(one, request))) {
      throw foreign(
          "a page of another address may change nothing; where a proxy names this host otherwise"
              + " than people do, --dashboard-url says how they do");
    }
    Caller caller = door.caller(request);
    if (caller.isNobody()) {
      throw new Rejected(new Problem(401, "WHO_ARE_YOU", door.cure()));
    }
    return caller;
  }

  private boolean isOurs(String sent, Request request) {
    int scheme = sent.indexOf("://");
    String host = scheme < 0 ? "" : sent.substring(scheme + 3);
    return request.header("Host").filter(own -> own.equalsIgnoreCase(host)).isPresent()
        || origin.filter(sent::equalsIgnoreCase).isPresent();
  }

  private static Rejected foreign(String detail) {
    return new Rejected(new Problem(403, "CROSS_ORIGIN", detail));
  }
}
