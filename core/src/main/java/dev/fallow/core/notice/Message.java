package dev.fallow.core.notice;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an owner is told of a workload. Its texts hold names and annotations that anybody in the
 * cluster may have written: a channel shows them as text and never as markup.
 *
 * @param id the same at every attempt to deliver it, so that a receiver can tell a repetition
 * @param workload its name, such as {@code Deployment/ml/trainer}
 * @param pausesAt when it is paused unless somebody objects
 * @param rehearsal whether nothing is going to be paused in truth
 */
public record Message(
    String id,
    Kind kind,
    String workload,
    String namespace,
    String headline,
    String sentence,
    List<Fact> facts,
    Optional<Instant> pausesAt,
    List<Button> buttons,
    Optional<Link> link,
    boolean rehearsal) {

  /** The occasion. */
  public enum Kind {
    IDLE,
    REMINDER,
    PAUSED,
    RESUMED,
    CANCELLED,
    REPORT
  }

  /** Goes as it is into the headers of a mail and of a request. */
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{1,100}");

  public Message {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException(
          "the id of a message is at most 100 letters, digits, _ and -");
    }
    facts = List.copyOf(facts);
    buttons = List.copyOf(buttons);
  }
}
