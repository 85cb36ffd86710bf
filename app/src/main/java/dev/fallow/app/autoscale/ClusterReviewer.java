package dev.fallow.app.autoscale;

import dev.fallow.adapters.kubernetes.Reviews;
import dev.fallow.adapters.kubernetes.Reviews.Deed;
import dev.fallow.adapters.kubernetes.Reviews.Identity;
import dev.fallow.app.Remembered;
import dev.fallow.app.web.ClusterDoor;
import dev.fallow.core.Unavailable;
import dev.fallow.server.Allowance;
import dev.fallow.server.JsonText;
import dev.fallow.server.metricsapi.Access;
import dev.fallow.server.metricsapi.Reviewer;
import dev.fallow.server.metricsapi.Subject;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The cluster's own answers, each remembered for a while: an autoscaler asks the same thing every
 * 15 seconds. A right that was taken away is gone after a minute.
 */
final class ClusterReviewer implements Reviewer {

  private static final Duration TOKEN = Duration.ofSeconds(10);
  private static final Duration ALLOWED = Duration.ofSeconds(60);
  private static final Duration DENIED = Duration.ofSeconds(10);
  private static final int MOST_TOKENS = 1_000;
  private static final int MOST_RIGHTS = 20_000;

  /**
   * Whoever can reach this port can show any text as a token. Each costs a question of those that
   * autoscalers' own are asked with, who come without tokens, behind the front proxy.
   */
  private static final int NEW_TOKENS_A_SECOND = 10;

  private static final int NEW_TOKENS_AT_ONCE = 100;

  private final Reviews reviews;
  private final Remembered<Optional<Subject>> holders = new Remembered<>(MOST_TOKENS);
  private final Remembered<Boolean> rights = new Remembered<>(MOST_RIGHTS);

  /** Tokens that were somebody's: whoever shows one again does not wait behind made-up ones. */
  private final Set<String> accepted =
      Collections.synchronizedSet(
          Collections.newSetFromMap(
              new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                  return size() > MOST_TOKENS;
                }
              }));

  private final Allowance newTokens = new Allowance(NEW_TOKENS_A_SECOND, NEW_TOKENS_AT_ONCE, 1);

  ClusterReviewer(Reviews reviews) {
    this.reviews = reviews;
  }

  @Override
  public Optional<Subject> holderOf(String token) {
    return holders.get(ClusterDoor.digest(token), () -> reviewed(token), any -> TOKEN);
  }

  private Optional<Subject> reviewed(String token) {
    String digest = ClusterDoor.digest(token);
    if (!accepted.contains(digest) && !newTokens.take("all", System.nanoTime())) {
      throw new Unavailable("tokens", "too many new tokens are shown; try again", true);
    }
    Optional<Subject> holder =
        reviews
            .holderOf(token)
            .map(one -> new Subject(one.name(), one.uid(), one.groups(), one.extra()));
    holder.ifPresent(one -> accepted.add(digest));
    return holder;
  }

  @Override
  public boolean may(Subject who, Access what) {
    return rights.get(
        ClusterDoor.digest(question(who, what)),
        () -> asked(who, what),
        may -> may ? ALLOWED : DENIED);
  }

  private boolean asked(Subject who, Access what) {
    Identity identity = new Identity(who.name(), who.uid(), who.groups(), who.extra());
    return switch (what) {
      case Access.OfPath path -> reviews.mayRead(identity, path.path());
      case Access.OfResource one ->
          reviews.may(
              identity,
              new Deed(
                  one.verb(),
                  one.group(),
                  one.version(),
                  one.resource(),
                  one.subresource(),
                  one.namespace(),
                  one.name()));
    };
  }

  /**
   * What is remembered does not grow with what names callers think of, hence the digest. As JSON,
   * so that no name can be written such that it looks like two others.
   */
  private static String question(Subject who, Access what) {
    List<Object> deed =
        switch (what) {
          case Access.OfPath path -> List.of(path.path());
          case Access.OfResource one ->
              List.of(
                  one.verb(),
                  one.group(),
                  one.version(),
                  one.resource(),
                  one.subresource(),
                  one.namespace(),
                  one.name());
        };
    return JsonText.of(
        List.of(who.name(), who.uid(), who.groups(), new TreeMap<>(who.extra()), deed));
  }
}
