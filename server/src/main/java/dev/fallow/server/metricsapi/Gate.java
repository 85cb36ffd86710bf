package dev.fallow.server.metricsapi;

import dev.fallow.server.Request;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Finds out who asks, and whether they may: the API server by its certificate, for whomever it
 * names; anybody else by a token. Whoever shows neither is nobody, and costs the cluster no
 * question.
 *
 * @param frontProxy as the cluster says now
 */
public record Gate(Supplier<FrontProxy> frontProxy, Reviewer reviewer) {

  private static final String BEARER = "Bearer ";

  Optional<Subject> who(Request request, Instant now) {
    return frontProxy
        .get()
        .subject(request, now)
        .or(() -> token(request).flatMap(reviewer::holderOf))
        .map(Subject::signedIn);
  }

  private static Optional<String> token(Request request) {
    return request
        .header("Authorization")
        .filter(header -> header.regionMatches(true, 0, BEARER, 0, BEARER.length()))
        .map(header -> header.substring(BEARER.length()).strip());
  }

  boolean lets(Subject who, Access what) {
    return who.groups().contains(Subject.MASTERS) || reviewer.may(who, what);
  }
}
