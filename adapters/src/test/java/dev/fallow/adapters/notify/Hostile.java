package dev.fallow.adapters.notify;

import dev.fallow.core.notice.Button;
import dev.fallow.core.notice.Button.Action;
import dev.fallow.core.notice.Fact;
import dev.fallow.core.notice.Link;
import dev.fallow.core.notice.Message;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Messages for tests: a good one, and one whose every text wants to be more than text. */
final class Hostile {

  static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

  private Hostile() {}

  static Message good() {
    return message(
        "trainer holds 8 idle GPUs",
        "No GPU of it did anything since 09:10.",
        List.of(new Fact("idle since", "09:10"), new Fact("cost", "$55.20 an hour")));
  }

  /** All texts are the same evil one. */
  static Message all(String evil) {
    return message(evil, evil, List.of(new Fact(evil, evil)));
  }

  private static Message message(String headline, String sentence, List<Fact> facts) {
    return new Message(
        "m-1",
        Message.Kind.IDLE,
        "Deployment/ml/trainer",
        "ml",
        headline,
        sentence,
        facts,
        Optional.of(NOON.plusSeconds(900)),
        List.of(new Button(Action.KEEP_8H, "Keep 8 h"), new Button(Action.WHY, "Why?")),
        Optional.of(new Link("https://fallow.example/ml/trainer?a=1&b=2")),
        false);
  }
}
