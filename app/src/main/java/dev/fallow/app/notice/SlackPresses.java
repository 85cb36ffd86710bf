package dev.fallow.app.notice;

import dev.fallow.adapters.notify.ButtonValue;
import dev.fallow.adapters.notify.SlackInteraction;
import dev.fallow.adapters.notify.SlackUsers;
import dev.fallow.core.Unavailable;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.core.notice.Button;
import dev.fallow.server.Rejected;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Rights;
import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.FleetSource;
import dev.fallow.server.fleet.Hands;
import dev.fallow.server.fleet.WorkloadItem;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Does what people ask for by buttons in Slack, as the one the cluster knows by their e-mail
 * address, and only what that one may.
 */
public final class SlackPresses {

  private static final String REASON = "by a button in Slack";

  private static final String CURE =
      "the cluster has to know that very user, since Slack tells of no groups: bind a role to it,"
          + " or set --slack-user-prefix if the cluster writes names otherwise";

  /** For how long a press right after a start waits for the first look. */
  private static final Duration FIRST_LOOK = Duration.ofSeconds(60);

  private static final Duration GLANCE = Duration.ofMillis(250);

  /** Lets time pass. */
  interface Pause {
    void of(Duration time) throws InterruptedException;
  }

  private final Function<String, SlackUsers.Found> emails;
  private final FleetSource fleet;
  private final Hands hands;
  private final Rights rights;
  private final BiConsumer<URI, String> answer;
  private final String prefix;
  private final InstantSource clock;
  private final Pause pause;

  /**
   * @param emails whose address belongs to a member of the workspace
   * @param prefix what the cluster puts before an address to name its user; mostly nothing
   * @param answer tells whoever pressed what came of it
   */
  public SlackPresses(
      Function<String, SlackUsers.Found> emails,
      String prefix,
      FleetSource fleet,
      Hands hands,
      Rights rights,
      InstantSource clock,
      BiConsumer<URI, String> answer) {
    this(emails, prefix, fleet, hands, rights, clock, answer, Thread::sleep);
  }

  SlackPresses(
      Function<String, SlackUsers.Found> emails,
      String prefix,
      FleetSource fleet,
      Hands hands,
      Rights rights,
      InstantSource clock,
      BiConsumer<URI, String> answer,
      Pause pause) {
    this.emails = emails;
    this.prefix = prefix;
    this.fleet = fleet;
    this.hands = hands;
    this.rights = rights;
    this.clock = clock;
    this.answer = answer;
    this.pause = pause;
  }

  /** Acts and answers; takes as long as that takes. */
  public void pressed(SlackInteraction press) {
    String sentence = outcome(press);
    press.responseUrl().ifPresent(url -> answer.accept(url, sentence));
  }

  private String outcome(SlackInteraction press) {
    FleetPicture picture = afterTheFirstLook();
    if (picture.number() == 0) {
      return "Nothing was done: Fallow has just started and has not looked at the cluster yet;"
          + " press again in a minute.";
    }
    Optional<WorkloadItem> item =
        ButtonValue.parse(press.value())
            .flatMap(value ->
                picture.items().stream()
                    .filter(one -> one.workload().equals(value.workload()))
                    .findFirst());
    if (item.isEmpty()) {
      return "This workload is not there any more; nothing was done.";
    }
    return switch (emails.apply(press.userId())) {
      case SlackUsers.Found.Email email -> act(press.action(), item.get(), email.address());
      case SlackUsers.Found.None none -> "Nothing was done: " + none.sentence();
      case SlackUsers.Found.Failed failed -> "Nothing was done: " + failed.sentence();
    };
  }

  /** Before it, everything would seem not to be there. */
  private FleetPicture afterTheFirstLook() {
    FleetPicture picture = fleet.picture();
    try {
      for (Duration waited = Duration.ZERO;
          picture.number() == 0 && waited.compareTo(FIRST_LOOK) < 0;
          waited = waited.plus(GLANCE)) {
        pause.of(GLANCE);
        picture = fleet.picture();
      }
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    return picture;
  }

  private String act(Button.Action action, WorkloadItem item, String email) {
    String name = prefix + email;
    Caller caller = new Caller(name, List.of(Caller.AUTHENTICATED), "slack", true);
    try {
      if (action == Button.Action.WHY) {
        return rights.sees(caller, item.namespace())
            ? item.workload() + ": " + item.fields().get("sentence")
            : "Nothing can be shown: "
                + name
                + " may not list pods in "
                + item.namespace()
                + "; "
                + CURE;
      }
      if (!rights.changes(caller, item.namespace(), item.kind(), item.name())) {
        return "Nothing was done: " + name + " may not update " + item.workload() + "; " + CURE;
      }
    } catch (Unavailable silent) {
      return "Nothing was done: what " + name + " may do cannot be found out now";
    }
    try {
      return switch (action) {
        case KEEP_4H -> keep(item, 4, caller);
        case KEEP_8H -> keep(item, 8, caller);
        case KEEP_24H -> keep(item, 24, caller);
        case RESUME -> {
          hands.resume(item, caller);
          yield item.workload() + " was resumed by " + name + ".";
        }
        case WHY -> "";
      };
    } catch (Rejected refused) {
      return "Nothing was done: " + refused.problem().detail();
    } catch (Unavailable silent) {
      return "It is not known whether that was done: " + silent.getMessage();
    }
  }

  private String keep(WorkloadItem item, int hours, Caller caller) {
    KeepTerm term = KeepTerm.atLeast(Duration.ofHours(hours));
    Keep keep = hands.keep(item, term, REASON, caller);
    boolean longer = keep.until().isAfter(clock.instant().plus(Duration.ofHours(hours)));
    return !longer
        ? item.workload() + " is kept for " + hours + " hours by " + caller.name() + "."
        : item.workload() + " is kept until " + keep.until() + " already; that stays.";
  }
}
