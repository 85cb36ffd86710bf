package dev.fallow.adapters.notify;

import dev.fallow.core.notice.Fact;
import dev.fallow.core.notice.Message;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;

/**
 * A message as a mail: plain text, and the same as HTML.
 *
 * @param messageId the same at every attempt, by which mail programs drop a second copy
 * @param text headers and body with CR LF, all of it ASCII
 */
record MailText(String messageId, String text) {

  private static final String LINE = "\r\n";

  /** So that an encoded word with its frame stays below 75 characters. */
  private static final int WORD_BYTES = 42;

  static MailText of(Message message, SmtpServer server, String to, Instant now) {
    Shown shown = Shown.of(message);
    String messageId = "<" + message.id() + "@" + server.domain() + ">";
    String boundary = "fallow-" + message.id();
    StringBuilder mail = new StringBuilder();
    header(mail, "From", "Fallow <" + server.from() + ">");
    header(mail, "To", "<" + to + ">");
    header(mail, "Subject", words(shown.headline()));
    header(mail, "Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(now.atOffset(ZoneOffset.UTC)));
    header(mail, "Message-ID", messageId);
    header(mail, "MIME-Version", "1.0");
    header(mail, "Auto-Submitted", "auto-generated");
    header(
        mail, "Content-Type", "multipart/alternative;" + LINE + " boundary=\"" + boundary + "\"");
    mail.append(LINE);
    part(mail, boundary, "text/plain", plain(shown));
    part(mail, boundary, "text/html", html(shown));
    mail.append("--").append(boundary).append("--").append(LINE);
    return new MailText(messageId, mail.toString());
  }

  /** A line break in a value would begin a header of somebody else's. */
  private static void header(StringBuilder mail, String name, String value) {
    String unfolded = value.replace(LINE + " ", "");
    if (unfolded.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new IllegalArgumentException("the header " + name + " holds what no header may");
    }
    mail.append(name).append(": ").append(value).append(LINE);
  }

  /** As encoded words, cut between characters. */
  private static String words(String text) {
    StringBuilder words = new StringBuilder();
    StringBuilder word = new StringBuilder();
    int bytes = 0;
    for (int point : text.codePoints().toArray()) {
      String one = Character.toString(point);
      int more = one.getBytes(StandardCharsets.UTF_8).length;
      if (bytes + more > WORD_BYTES) {
        words.append(word(word)).append(LINE).append(' ');
        word.setLength(0);
        bytes = 0;
      }
      word.append(one);
      bytes += more;
    }
    return words.append(word(word)).toString();
  }

  private static String word(StringBuilder text) {
    return "=?UTF-8?B?"
        + Base64.getEncoder().encodeToString(text.toString().getBytes(StandardCharsets.UTF_8))
        + "?=";
  }

  private static void part(StringBuilder mail, String boundary, String type, String text) {
    mail.append("--").append(boundary).append(LINE);
    header(mail, "Content-Type", type + "; charset=UTF-8");
    header(mail, "Content-Transfer-Encoding", "quoted-printable");
    mail.append(LINE).append(QuotedPrintable.encoded(text)).append(LINE);
  }

  private static String plain(Shown shown) {
    StringBuilder text = new StringBuilder();
    text.append(shown.headline()).append("\n\n").append(shown.sentence()).append("\n\n");
    for (Fact fact : shown.facts()) {
      text.append(fact.name()).append(": ").append(fact.value()).append('\n');
    }
    shown.pausesAt().ifPresent(at -> text.append("Pauses at ").append(Shown.time(at)).append('\n'));
    shown.link().ifPresent(link -> text.append('\n').append(link.url()).append('\n'));
    return text.toString();
  }

  private static String html(Shown shown) {
    StringBuilder text = new StringBuilder("<!DOCTYPE html>\n<html><body>\n");
    text.append("<h3>").append(escaped(shown.headline())).append("</h3>\n");
    text.append("<p>").append(escaped(shown.sentence())).append("</p>\n");
    if (!shown.facts().isEmpty()) {
      text.append("<table>\n");
      for (Fact fact : shown.facts()) {
        text.append("<tr><td>").append(escaped(fact.name())).append("</td><td><code>");
        text.append(escaped(fact.value())).append("</code></td></tr>\n");
      }
      text.append("</table>\n");
    }
    shown
        .pausesAt()
        .ifPresent(at -> text.append("<p>Pauses at ").append(Shown.time(at)).append("</p>\n"));
    shown
        .link()
        .ifPresent(link ->
            text.append("<p><a href=\"")
                .append(escaped(link.url()))
                .append("\">Open in Fallow</a></p>\n"));
    return text.append("</body></html>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }
}
