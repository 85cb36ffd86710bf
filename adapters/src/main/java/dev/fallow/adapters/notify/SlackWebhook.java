package dev.fallow.adapters.notify;

import dev.fallow.adapters.WaryJson;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;

/**
 * Posts to the one Slack channel that an incoming webhook belongs to. Whoever is to be told
 * elsewhere is not told by it, and that is said instead of being taken for done.
 */
public final class SlackWebhook implements Channel {

  private final Outbound outbound;
  private final InstantSource clock;
  private final URI url;
  private final String channel;

  /**
   * @param url a secret: who knows it can post
   * @param channel the one that the webhook posts to, such as {@code #gpus}
   * @throws IllegalArgumentException with a sentence for people if the address is none
   */
  public SlackWebhook(Outbound outbound, InstantSource clock, Secret url, String channel) {
    this.outbound = outbound;
    this.clock = clock;
    this.url = SecretUrl.https(url, "the Slack webhook");
    this.channel = channel;
  }

  @Override
  public Delivery deliver(Address to, Message message) {
    if (!to.target().equals(channel)) {
      return new Delivery.Refused(
          "the Slack webhook posts to "
              + PlainText.oneLine(channel, 80)
              + " only and not to "
              + PlainText.oneLine(to.target(), 80)
              + "; --slack-bot-token-file reaches both");
    }
    return new Outcomes("Slack", clock)
        .of(
            outbound.post(
                url,
                Map.of("Content-Type", "application/json; charset=utf-8"),
                WaryJson.write(SlackBlocks.of(message, false))));
  }
}
