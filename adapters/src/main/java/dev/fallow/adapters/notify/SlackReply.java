package dev.fallow.adapters.notify;

import dev.fallow.adapters.WaryJson;
import dev.fallow.core.notice.Delivery;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;

/** Tells the one who pressed a button what came of it, at the address that came with the press. */
public final class SlackReply {

  private final Outbound outbound;
  private final InstantSource clock;

  public SlackReply(Outbound outbound, InstantSource clock) {
    this.outbound = outbound;
    this.clock = clock;
  }

  /**
   * @param responseUrl of a {@link SlackInteraction}, which has checked it
   * @param everybody whether the whole channel sees it, or only who pressed the button
   */
  public Delivery send(URI responseUrl, String sentence, boolean everybody) {
    return new Outcomes("Slack", clock)
        .of(
            outbound.post(
                responseUrl,
                Map.of("Content-Type", "application/json; charset=utf-8"),
                WaryJson.write(
                    Map.of(
                        "text",
                        SlackText.escaped(sentence),
                        "response_type",
                        everybody ? "in_channel" : "ephemeral",
                        "replace_original",
                        false))));
  }
}
