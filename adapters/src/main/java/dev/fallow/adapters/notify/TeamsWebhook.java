package dev.fallow.adapters.notify;

import dev.fallow.adapters.WaryJson;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Fact;
import dev.fallow.core.notice.Message;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Posts an Adaptive Card to a Teams workflow. Texts are runs of a rich text block, which knows no
 * markup, so that nothing in them needs escaping.
 */
public final class TeamsWebhook implements Channel {

  private final Outbound outbound;
  private final InstantSource clock;
  private final Map<String, URI> workflows = new HashMap<>();

  /**
   * @param urls of the workflows, by the names that addresses use
   * @throws IllegalArgumentException with a sentence for people if an address is none
   */
  public TeamsWebhook(Outbound outbound, InstantSource clock, Map<String, Secret> urls) {
    this.outbound = outbound;
    this.clock = clock;
    urls.forEach(
        (name, url) -> workflows.put(name, SecretUrl.https(url, "the Teams webhook " + name)));
  }

  @Override
  public Delivery deliver(Address to, Message message) {
    URI workflow = workflows.get(to.target());
    if (workflow == null) {
      return new Delivery.Refused(
          "no Teams webhook "
              + PlainText.oneLine(to.target(), 60)
              + " is configured; add it, or"
              + " correct the address "
              + PlainText.oneLine(to.text(), 80));
    }
    Outcomes outcomes = new Outcomes("the Teams webhook " + to.target(), clock);
    Answer answer =
        outbound.post(
            workflow,
            Map.of("Content-Type", "application/json"),
            WaryJson.write(envelope(Shown.of(message))));
    // Teams has answered 200 and said in the body that it passed the message on to nobody.
    if (answer instanceof Answer.Whole whole
        && whole.status() / 100 == 2
        && whole.text().toLowerCase(Locale.ROOT).contains("delivery failed")) {
      return outcomes.failed("took the message and then says that its delivery failed");
    }
    return outcomes.of(answer);
  }

  private static Map<String, Object> envelope(Shown shown) {
    List<Object> body = new ArrayList<>();
    body.add(block(List.of(run(shown.headline(), true))));
    body.add(block(List.of(run(shown.sentence(), false))));
    for (Fact fact : shown.facts()) {
      body.add(block(List.of(run(fact.name() + ": ", true), run(fact.value(), false))));
    }
    shown
        .pausesAt()
        .ifPresent(
            at -> body.add(block(List.of(run("pauses at: ", true), run(Shown.time(at), false)))));
    List<Object> actions =
        shown.link().stream()
            .<Object>map(link ->
                Map.of("type", "Action.OpenUrl", "title", "Open in Fallow", "url", link.url()))
            .toList();
    return Map.of(
        "type",
        "message",
        "attachments",
        List.of(
            Map.of(
                "contentType",
                "application/vnd.microsoft.card.adaptive",
                "content",
                Map.of(
                    "$schema", "http://adaptivecards.io/schemas/adaptive-card.json",
                    "type", "AdaptiveCard",
                    "version", "1.4",
                    "body", body,
                    "actions", actions))));
  }

  private static Map<String, Object> block(List<Object> runs) {
    return Map.of("type", "RichTextBlock", "inlines", runs);
  }

  private static Object run(String text, boolean bold) {
    return Map.of("type", "TextRun", "text", text, "weight", bold ? "bolder" : "default");
  }
}
