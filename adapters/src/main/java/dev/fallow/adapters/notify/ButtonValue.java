package dev.fallow.adapters.notify;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a button carries through Slack and back: of which message it is, and of which workload. */
public record ButtonValue(String messageId, String workload) {

  /** Slack takes 2000 characters in all. */
  static final int LONGEST = 1500;

  private static final Pattern FORM = Pattern.compile("([A-Za-z0-9_-]{1,100}) (\\S{1,1500})");

  String text() {
    return messageId + " " + workload;
  }

  /** What a pressed button brought, if it is one of ours. */
  public static Optional<ButtonValue> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(new ButtonValue(form.group(1), form.group(2)))
        : Optional.empty();
  }
}
