package dev.fallow.adapters.notify;

import dev.fallow.adapters.WaryJson;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import java.util.regex.Pattern;

/** Posts as a Slack app, to channels and to people, with buttons that can be pressed. */
public final class SlackApp implements Channel {

  private static final Pattern PLACE = Pattern.compile("[A-Z0-9]{1,30}/[0-9]{1,20}\\.[0-9]{1,10}");

  private final SlackApi api;
  private final Outcomes outcomes;

  /**
   * @param base where Slack's API is; with a slash at its end
   */
  public SlackApp(Outbound outbound, InstantSource clock, Secret botToken, URI base) {
    this.api = new SlackApi(outbound, base, botToken);
    this.outcomes = new Outcomes("Slack", clock);
  }

  @Override
  public Delivery deliver(Address to, Message message) {
    Map<String, Object> content = SlackBlocks.of(message, true);
    content.put("channel", to.target().startsWith("@") ? to.target().substring(1) : to.target());
    content.put("parse", "none");
    content.put("link_names", false);
    content.put("mrkdwn", false);
    content.put(
        "metadata",
        Map.of("event_type", "fallow_notice", "event_payload", Map.of("id", message.id())));
    return switch (api.callJson("chat.postMessage", content)) {
      case SlackApi.Said.Ok ok -> outcomes.confirmed(receipt(ok));
      case SlackApi.Said.No no ->
          SlackErrors.mayPass(no.code())
              ? outcomes.later(no.answer(), SlackErrors.sentence(no.code()))
              : outcomes.refused(SlackErrors.sentence(no.code()));
      case SlackApi.Said.Trouble trouble -> outcomes.of(trouble.answer());
    };
  }

  /** Channel and time stamp, by which a message is found in Slack. */
  private static String receipt(SlackApi.Said.Ok ok) {
    String place = WaryJson.text(ok.content(), "channel") + "/" + WaryJson.text(ok.content(), "ts");
    return PLACE.matcher(place).matches() ? place : "ok";
  }
}
