package dev.fallow.adapters.notify;

import dev.fallow.core.notice.Button;
import dev.fallow.core.notice.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A message in Slack's Block Kit. */
final class SlackBlocks {

  private static final String ACTION = "fallow_";
  private static final int LONGEST_TEXT = 3000;
  private static final int LONGEST_LABEL = 75;

  private SlackBlocks() {}

  /** The text that notifications show, and the blocks. */
  static Map<String, Object> of(Message message, boolean interactive) {
    Shown shown = Shown.of(message);
    List<Object> blocks = new ArrayList<>();
    String headline = SlackText.escaped(shown.headline());
    String sentence = SlackText.escaped(shown.sentence());
    blocks.add(section(headline.isEmpty() ? "Fallow" : "*" + headline + "*"));
    if (!sentence.isEmpty()) {
      blocks.add(section(sentence));
    }
    List<Object> fields = new ArrayList<>();
    shown
        .facts()
        .forEach(fact ->
            fields.add(
                mrkdwn(
                    "*" + SlackText.escaped(fact.name()) + "*\n" + SlackText.code(fact.value()))));
    if (!fields.isEmpty()) {
      blocks.add(Map.of("type", "section", "fields", fields));
    }
    shown
        .pausesAt()
        .ifPresent(at ->
            blocks.add(
                section(
                    "Pauses at <!date^%d^{date_short_pretty} {time}|%s>"
                        .formatted(at.getEpochSecond(), Shown.time(at)))));
    shown.link().ifPresent(link -> blocks.add(section("<" + link.url() + "|Open in Fallow>")));
    if (interactive && !message.buttons().isEmpty()) {
      blocks.add(buttons(message));
    }
    Map<String, Object> content = new HashMap<>();
    content.put("text", headline.isEmpty() ? "Fallow" : headline);
    content.put("blocks", blocks);
    content.put("unfurl_links", false);
    content.put("unfurl_media", false);
    return content;
  }

  private static Object buttons(Message message) {
    ButtonValue value =
        new ButtonValue(message.id(), PlainText.oneLine(message.workload(), ButtonValue.LONGEST));
    return Map.of(
        "type",
        "actions",
        "elements",
        message.buttons().stream()
            .map(button ->
                Map.of(
                    "type",
                    "button",
                    "action_id",
                    actionId(button.action()),
                    "value",
                    value.text(),
                    "text",
                    Map.of("type", "plain_text", "emoji", false, "text", label(button))))
            .toList());
  }

  private static String label(Button button) {
    String label = PlainText.oneLine(button.label(), LONGEST_LABEL);
    return label.isEmpty() ? button.action().name() : label;
  }

  static String actionId(Button.Action action) {
    return ACTION + action.name().toLowerCase(Locale.ROOT);
  }

  static Optional<Button.Action> action(String actionId) {
    for (Button.Action action : Button.Action.values()) {
      if (actionId(action).equals(actionId)) {
        return Optional.of(action);
      }
    }
    return Optional.empty();
  }

  private static Map<String, Object> section(String text) {
    return Map.of("type", "section", "text", mrkdwn(text));
  }

  /** Verbatim: what looks like a channel or an address in it stays text. */
  private static Map<String, Object> mrkdwn(String text) {
    return Map.of("type", "mrkdwn", "verbatim", true, "text", bounded(text));
  }

  /** Escapes can make a text longer than Slack takes; it is cut before a half of one. */
  private static String bounded(String text) {
    if (text.length() <= LONGEST_TEXT) {
      return text;
    }
    int end = LONGEST_TEXT - 1;
    int entity = text.lastIndexOf('&', end);
    end = entity > end - 5 ? entity : end;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…";
  }
}
