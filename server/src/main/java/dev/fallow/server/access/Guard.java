package dev.fallow.server.access;

import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import java.util.List;

/** Stands before every change: who is it, do they mean it, may they? */
public record Guard(Door door) {

  /** Only a page of ours, or a program, can send one of these across origins. */
  private static final String OWN_HEADER = "X-Requested-With";

  /** Any browser sends one of these with a change that another's page asks it to make. */
  private static final List<String> BROWSERS =
      List.of("Origin", "Referer", "Cookie", "Sec-Fetch-Site", "Sec-Fetch-Mode");

  /** A bearer token on its way through the API server, which keeps Authorization to itself. */
  public static final String PROXIED_TOKEN = "X-Fallow-Authorization";

  /**
   * Answers who makes a change.
   *
   * @throws Rejected if it may not be made
   */
  public Caller admitted(Request request, String namespace, String kind, String name) {
    Caller caller = meant(request);
    if (!door.changes(caller, namespace, kind, name)) {
      throw new Rejected(
          new Problem(
              403,
              "FORBIDDEN",
              caller.name() + " may not update " + kind + "/" + name + " in " + namespace));
    }
    return caller;
  }

  /** Somebody with a name whose own page or program has sent this. */
  public Caller meant(Request request) {
    boolean own =
        request.header(OWN_HEADER).isPresent()
            || request.header("Authorization").isPresent()
            || request.header(PROXIED_TOKEN).isPresent()
            || BROWSERS.stream().noneMatch(header -> request.header(header).isPresent());
    // A page of a neighbouring host is another's as well, though cookies go along with it.
    boolean elsewhere =
        request
            .header("Sec-Fetch-Site")
            .filter(site -> !site.equals("same-origin") && !site.equals("none"))
            .isPresent();
    if (!own || elsewhere) {
      throw new Rejected(
          new Problem(
              403,
              "CROSS_ORIGIN",
              "a change needs the header " + OWN_HEADER + ": fallow, or a bearer token"));
    }
    Caller caller = door.caller(request);
    if (caller.isNobody()) {
      throw new Rejected(new Problem(401, "WHO_ARE_YOU", door.cure()));
    }
    return caller;
  }
}
