package dev.fallow.adapters.notify;

import dev.fallow.core.notice.Fact;
import dev.fallow.core.notice.Link;
import dev.fallow.core.notice.Message;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A message with its texts cleaned and cut, as every channel shows it. They are text still and no
 * markup: each channel escapes them for itself.
 */
record Shown(
    String headline,
    String sentence,
    List<Fact> facts,
    Optional<Instant> pausesAt,
    Optional<Link> link) {

  private static final int MOST_FACTS = 10;
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("d MMM uuuu HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  static Shown of(Message message) {
    String headline = PlainText.oneLine(message.headline(), 150);
    return new Shown(
        message.rehearsal() ? "Rehearsal: " + headline : headline,
        PlainText.oneLine(message.sentence(), 1000)
            + (message.rehearsal() ? " This is a rehearsal: nothing is changed." : ""),
        message.facts().stream()
            .limit(MOST_FACTS)
            .map(fact ->
                new Fact(PlainText.oneLine(fact.name(), 60), PlainText.oneLine(fact.value(), 300)))
            .toList(),
        message.pausesAt(),
        message.link());
  }

  static String time(Instant at) {
    return TIME.format(at);
  }
}
