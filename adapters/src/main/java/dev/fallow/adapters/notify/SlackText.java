package dev.fallow.adapters.notify;

import java.util.regex.Pattern;

/**
 * Texts of others inside Slack's mrkdwn. It has escapes for three characters only; what else would
 * format, mention or quote is replaced by a character that looks like it.
 */
final class SlackText {

  private static final Pattern CALL = Pattern.compile("@(?=(?i:channel|here|everyone)\\b)");
  private static final Pattern EMOJI = Pattern.compile(":(?=[a-z0-9_+'-]*[a-z][a-z0-9_+'-]*:)");

  /** An underscore within a word formats nothing and is part of many names. */
  private static final Pattern EMPHASIS =
      Pattern.compile("(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])");

  private SlackText() {}

  static String escaped(String text) {
    String plain = PlainText.oneLine(text, 2000);
    plain = plain.startsWith(">") ? "›" + plain.substring(1) : plain;
    plain = plain.replace('`', 'ˋ').replace('*', '∗').replace('~', '∼');
    plain = EMPHASIS.matcher(plain).replaceAll("ˍ");
    plain = CALL.matcher(plain).replaceAll("＠");
    plain = EMOJI.matcher(plain).replaceAll("꞉");
    return entities(plain);
  }

  /** As code: all there but the backtick, which would end it. */
  static String code(String text) {
    String plain = CALL.matcher(PlainText.oneLine(text, 1000)).replaceAll("＠");
    return plain.isEmpty() ? "–" : "`" + entities(plain.replace('`', 'ˋ')) + "`";
  }

  private static String entities(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
