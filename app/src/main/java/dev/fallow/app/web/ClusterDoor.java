package dev.fallow.app.web;

import dev.fallow.adapters.kubernetes.Reviews;
import dev.fallow.adapters.kubernetes.Reviews.Identity;
import dev.fallow.app.Remembered;
import dev.fallow.core.Unavailable;
import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;
import dev.fallow.server.access.Guard;
import dev.fallow.server.access.Rights;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/** Whoever the cluster knows, with the rights they have there. */
public final class ClusterDoor implements Door {

  /** Where a name comes from: a token, or a proxy that has signed somebody in. */
  public interface Names {

    Optional<Identity> of(Request request);

    /** The token in a request, if it is one that tells. */
    default Optional<String> token(Request request) {
      return bearer(request);
    }

    /** As {@link Caller#by}. */
    String by(Request request);

    List<String> signIn();

    /** As {@link Door#issuer}. */
    default Optional<String> issuer() {
      return Optional.empty();
    }

    /** As {@link Door#routes}. */
    default List<Route> routes() {
      return List.of();
    }

    String cure();
  }

  private static final Duration REMEMBERED = Duration.ofSeconds(60);
  private static final Duration REFUSAL_REMEMBERED = Duration.ofSeconds(5);

  private final Names names;
  private final Reviews reviews;
  private final Rights rights;
  private final Remembered<Optional<Identity>> identities = new Remembered<>(10_000);
  private final Remembered<Boolean> working = new Remembered<>(1);

  public ClusterDoor(Names names, Reviews reviews, FleetBoard board) {
    this.names = names;
    this.reviews = reviews;
    this.rights = new ClusterRights(reviews, board);
  }

  /** The token in a request, as the API server knows its holder. */
  public static Names tokens(Reviews reviews) {
    return new Names() {
      @Override
      public Optional<Identity> of(Request request) {
        return token(request).flatMap(reviews::holderOf);
      }

      @Override
      public String by(Request request) {
        return "token";
      }

      @Override
      public List<String> signIn() {
        return List.of("token");
      }

      @Override
      public String cure() {
        return "sign in with a token of this cluster: kubectl create token NAME, or kubectl"
            + " config view --raw";
      }
    };
  }

  static Optional<String> bearer(Request request) {
    return request
        .header("Authorization")
        .or(() -> request.header(Guard.PROXIED_TOKEN))
        .filter(header -> header.regionMatches(true, 0, "Bearer ", 0, 7))
        .map(header -> header.substring(7).strip());
  }

  /** A token that is sent and not taken is an error; one that a browser has kept is none. */
  @Override
  public Caller caller(Request request) {
    Optional<String> token = names.token(request);
    Optional<Identity> who =
        token.isEmpty()
            ? asked(request)
            : identities.get(
                digest(token.get()),
                () -> asked(request),
                found -> found.isPresent() ? REMEMBERED : REFUSAL_REMEMBERED);
    if (who.isEmpty() && bearer(request).isPresent() && works()) {
      throw new Rejected(
          new Problem(401, "WHO_ARE_YOU", "the cluster does not take this token; " + cure()));
    }
    return who.map(one ->
            new Caller(one.name(), one.groups(), names.by(request), true, one.uid(), one.extra()))
        .orElse(Caller.NOBODY);
  }

  @Override
  public Caller reader(Request request) {
    Caller caller = caller(request);
    if (caller.isNobody() && works()) {
      throw new Rejected(new Problem(401, "WHO_ARE_YOU", cure()));
    }
    return caller;
  }

  private Optional<Identity> asked(Request request) {
    return works() ? names.of(request) : Optional.empty();
  }

  /**
   * Whether this account may ask who somebody is at all. Where it may not, as under gpu-pruner's
   * own role, the port serves reads, and no change.
   */
  private boolean works() {
    return working.get(
        "",
        () -> {
          try {
            Optional<Identity> _ = reviews.holderOf("probe");
            boolean _ = reviews.mayListPods(new Identity("probe", List.of()), "default");
            return true;
          } catch (Unavailable failed) {
            return !failed.source().equals("reviews");
          }
        },
        yes -> REMEMBERED);
  }

  @Override
  public boolean sees(Caller caller, String namespace) {
    if (caller.isNobody()) {
      if (works()) {
        throw new Rejected(new Problem(401, "WHO_ARE_YOU", cure()));
      }
      return true;
    }
    return rights.sees(caller, namespace);
  }

  @Override
  public boolean changes(Caller caller, String namespace, String kind, String name) {
    return rights.changes(caller, namespace, kind, name);
  }

  @Override
  public List<String> signIn() {
    return names.signIn();
  }

  @Override
  public Optional<String> issuer() {
    return names.issuer();
  }

  @Override
  public List<Route> routes() {
    return names.routes();
  }

  @Override
  public String cure() {
    return works()
        ? names.cure()
        : "nobody can be told apart here: this account may not create tokenreviews; apply"
            + " deploy/base/web-role.yaml";
  }

  /** Tokens are not kept, only what they hash to. */
  public static String digest(String token) {
    try {
      return HexFormat.of()
          .formatHex(
              Arrays.copyOf(
                  MessageDigest.getInstance("SHA-256")
                      .digest(token.getBytes(StandardCharsets.UTF_8)),
                  16));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
