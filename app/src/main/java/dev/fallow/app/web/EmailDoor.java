package dev.fallow.app.web;

import dev.fallow.server.JsonBody;
import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Believes whatever e-mail address somebody gives, as gpu-pruner's page does. Only where the
 * operator has asked for it; what is done so is marked as unverified.
 */
public final class EmailDoor implements Door {

  private static final String COOKIE = "fallow-email";
  private static final Pattern ADDRESS =
      Pattern.compile("[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,189}");

  private final OwnHost host;

  /**
   * @param page as people open it, {@code https://gpus.example.com}; empty if they do so by an
   *     address or on this machine only
   */
  public EmailDoor(String page) {
    this.host = OwnHost.of(page);
  }

  private void admit(Request request) {
    host.admit(
        request,
        "people are believed here whatever they say, so the page may be opened by an address, as"
            + " localhost, or as --dashboard-url says; set that to the name you have opened");
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.of(
            "POST",
            "/api/v1/session",
            request -> {
              admit(request);
              if (request.header("X-Requested-With").isEmpty()) {
                throw new Rejected(
                    new Problem(403, "CROSS_ORIGIN", "X-Requested-With: fallow is needed"));
              }
              String address =
                  JsonBody.of(request, Set.of("email")).text("email").orElse("").strip();
              if (!ADDRESS.matcher(address).matches()) {
                throw Rejected.parameter("email", "is an e-mail address");
              }
              return Reply.json(200, Map.of("name", address, "verified", false))
                  .with(
                      "Set-Cookie",
                      COOKIE
                          + "="
                          + Base64.getUrlEncoder()
                              .withoutPadding()
                              .encodeToString(address.getBytes(StandardCharsets.UTF_8))
                          + "; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000");
            }));
  }

  @Override
  public Caller caller(Request request) {
    admit(request);
    return address(request)
        .map(address -> new Caller(address, List.of(), "email", false))
        .orElse(Caller.NOBODY);
  }

  private static Optional<String> address(Request request) {
    return Cookies.value(request, COOKIE)
        .flatMap(EmailDoor::decoded)
        .filter(address -> ADDRESS.matcher(address).matches());
  }

  private static Optional<String> decoded(String value) {
    try {
      return Optional.of(new String(Base64.getUrlDecoder().decode(value), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }

  @Override
  public boolean sees(Caller caller, String namespace) {
    return true;
  }

  @Override
  public boolean changes(Caller caller, String namespace, String kind, String name) {
    return true;
  }

  /** Whoever reaches the port can give any address: that is enough to spare, not to stop. */
  @Override
  public Optional<String> whyNoPause() {
    return Optional.of(
        "nobody checks addresses here, so a workload can be kept and resumed but not paused; pause"
            + " it with fallow pause, or sign people in with --dashboard-auth token or proxy");
  }

  @Override
  public List<String> signIn() {
    return List.of("email");
  }

  @Override
  public String cure() {
    return "give your e-mail address first";
  }
}
