package dev.fallow.app.web;

import dev.fallow.adapters.kubernetes.Reviews.Identity;
import dev.fallow.adapters.oidc.Attempt;
import dev.fallow.adapters.oidc.IdToken;
import dev.fallow.adapters.oidc.Issuer;
import dev.fallow.app.log.Log;
import dev.fallow.core.Unavailable;
import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.report.ReportPage;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Signing in at an issuer that the cluster trusts as well. The token it gives is what somebody
 * could have pasted: it stays in a cookie that only this server can open, and the API server says
 * for each request whose it is.
 */
public final class OidcSignIn implements ClusterDoor.Names {

  private static final String LOGIN = "/auth/login";
  private static final String CALLBACK = "/auth/callback";
  private static final Duration ATTEMPT = Duration.ofMinutes(10);
  private static final Duration LONGEST_SESSION = Duration.ofHours(24);
  private static final int LONGEST_CODE = 4_096;

  /** A place on this server; one slash only, since two begin the name of another. */
  private static final Pattern OWN_PLACE =
      Pattern.compile("/(?!/|auth/|api/)[A-Za-z0-9._~!$&'()*+,;=:@%/?-]{0,2000}");

  private final Issuer issuer;
  private final String redirect;
  private final SealedCookie attempts;
  private final SealedCookie sessions;
  private final Function<String, Optional<Identity>> holderOf;
  private final InstantSource clock;

  /**
   * @param dashboard where people reach the page
   * @param key seals cookies; the same for all replicas
   * @param holderOf whose token it is, as the API server says
   */
  public OidcSignIn(
      Issuer issuer,
      String dashboard,
      byte[] key,
      Function<String, Optional<Identity>> holderOf,
      InstantSource clock) {
    boolean https = dashboard.regionMatches(true, 0, "https:", 0, 6);
    this.issuer = issuer;
    this.redirect = dashboard.replaceFirst("/+$", "") + CALLBACK;
    this.attempts = new SealedCookie("fallow-signing-in", key, https, "Lax");
    this.sessions = new SealedCookie("fallow-session", key, https, "Strict");
    this.holderOf = holderOf;
    this.clock = clock;
  }

  @Override
  public List<Route> routes() {
    return List.of(
        Route.get(LOGIN, this::login),
        Route.get(CALLBACK, this::callback),
        Route.of("DELETE", "/api/v1/session", this::signOut));
  }

  private Reply login(Request request) {
    String back = request.query("return").filter(OidcSignIn::isOwnPlace).orElse("/");
    Attempt attempt = Attempt.begin();
    Instant now = clock.instant();
    try {
      Reply reply = sentTo(issuer.signIn(attempt, redirect).toString());
      String kept = String.join("\n", attempt.state(), attempt.nonce(), attempt.verifier(), back);
      return attempts.set(reply, kept, now.plus(ATTEMPT), now).orElseThrow();
    } catch (Unavailable outside) {
      return failed(503, outside);
    }
  }

  static boolean isOwnPlace(String place) {
    return OWN_PLACE.matcher(place).matches();
  }

  private Reply callback(Request request) {
    return attempts.clear(answered(request));
  }

  private Reply answered(Request request) {
    Instant now = clock.instant();
    Optional<String> kept = attempts.read(request, now);
    if (kept.isEmpty()) {
      return page(
          400,
          "This browser did not begin to sign in here within the last ten minutes, or keeps no"
              + " cookies. Begin again.");
    }
    String[] parts = kept.get().split("\n", 4);
    Attempt attempt = new Attempt(parts[0], parts[1], parts[2]);
    if (!attempt.began(request.query("state").orElse(""))
        || !request.query("iss").orElse(issuer.name()).equals(issuer.name())) {
      return page(
          400,
          "This answer belongs to another try to sign in, such as one in another tab. Begin"
              + " again.");
    }
    Optional<String> error = request.query("error");
    if (error.isPresent()) {
      return declined(error.get());
    }
    String code = request.query("code").orElse("");
    if (code.isEmpty() || code.length() > LONGEST_CODE) {
      return page(400, issuer.host() + " sent no code. Begin again.");
    }
    try {
      return switch (issuer.redeem(code, attempt, redirect)) {
        case Issuer.Redeemed.Good good -> welcomed(good.token(), parts[3], now);
        case Issuer.Redeemed.Refused refused -> {
          Log.warn(
              "somebody could not sign in", "because", issuer.host() + " " + refused.sentence());
          yield page(403, issuer.host() + " " + refused.sentence() + ".");
        }
      };
    } catch (Unavailable outside) {
      return failed(503, outside);
    }
  }

  private Reply declined(String error) {
    return error.equals("access_denied")
        ? page(403, "You, or " + issuer.host() + ", said no. Nobody is signed in.")
        : page(
            403,
            issuer.host()
                + " did not sign you in"
                + (error.matches("[a-z_]{1,60}") ? ": " + error : "")
                + ".");
  }

  private Reply welcomed(IdToken token, String back, Instant now) {
    if (holderOf.apply(token.text()).isEmpty()) {
      Log.warn("the cluster does not take tokens", "issuer", issuer.name());
      return page(
          403,
          "The cluster does not take tokens of "
              + issuer.name()
              + " for "
              + issuer.clientId()
              + ". Its API server has to trust the same issuer: --oidc-issuer-url="
              + issuer.name()
              + " and --oidc-client-id="
              + issuer.clientId()
              + ", or the same in its authentication configuration.");
    }
    Instant longest = now.plus(LONGEST_SESSION);
    Instant until = token.expires().isBefore(longest) ? token.expires() : longest;
    return sessions
        .set(sentTo(back), token.text(), until, now)
        .orElseGet(() ->
            page(
                403,
                "The token of "
                    + issuer.host()
                    + " has "
                    + token.text().length()
                    + " characters, more than cookies can hold. Have it name fewer groups."));
  }

  private Reply signOut(Request request) {
    if (request.header("X-Requested-With").isEmpty()) {
      throw new Rejected(new Problem(403, "CROSS_ORIGIN", "X-Requested-With: fallow is needed"));
    }
    return sessions.clear(Reply.of(204, "application/json", ""));
  }

  private static Reply sentTo(String place) {
    return Reply.text(303, "").with("Location", place);
  }

  private static Reply failed(int status, Unavailable outside) {
    String sentence = String.valueOf(outside.getMessage());
    Log.warn("nobody can sign in", "because", sentence);
    return page(status, "Nobody can be signed in now: " + sentence + ".");
  }

  /** No script and no style, as everywhere; what others wrote is text. */
  private static Reply page(int status, String sentence) {
    return Reply.of(
        status,
        "text/html; charset=utf-8",
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\""
            + " content=\"width=device-width\"><title>Not signed in – Fallow</title></head>\n"
            + "<body><h1>Not signed in</h1>\n<p>"
            + ReportPage.escaped(sentence)
            + "</p>\n<p><a href=\"/auth/login\">Sign in again</a> · <a href=\"/\">To the"
            + " workloads</a></p></body></html>\n");
  }

  /** One that is sent goes before the one that is kept. */
  @Override
  public Optional<String> token(Request request) {
    return ClusterDoor.bearer(request).or(() -> sessions.read(request, clock.instant()));
  }

  @Override
  public Optional<Identity> of(Request request) {
    return token(request).flatMap(holderOf);
  }

  @Override
  public String by(Request request) {
    return ClusterDoor.bearer(request).isPresent() ? "token" : "oidc";
  }

  @Override
  public List<String> signIn() {
    return List.of("oidc", "token");
  }

  @Override
  public Optional<String> issuer() {
    return Optional.of(issuer.host());
  }

  @Override
  public String cure() {
    return "sign in with " + issuer.host() + ", or with a token of this cluster";
  }
}
