package dev.fallow.adapters.notify;

import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.util.Map;

/** Gives each address to the channel that it names. */
public final class Channels implements Channel {

  /** What has to be set for a channel to be there. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          Address.SLACK, "--slack-bot-token, or --slack-webhook-url for one channel only",
          Address.MAIL, "--smtp-server and --smtp-from",
          Address.TEAMS, "--teams-webhook",
          Address.WEBHOOK, "--webhook");

  private final Map<String, Channel> byName;

  /**
   * @param byName by the channel's name in addresses, such as {@link Address#SLACK}
   */
  public Channels(Map<String, Channel> byName) {
    this.byName = Map.copyOf(byName);
  }

  @Override
  public Delivery deliver(Address to, Message message) {
    Channel channel = byName.get(to.channel());
    if (channel != null) {
      return channel.deliver(to, message);
    }
    String setting = SETTINGS.get(to.channel());
    return new Delivery.Refused(
        setting == null
            ? "there is no channel "
                + PlainText.oneLine(to.channel(), 40)
                + "; addresses begin with"
                + " slack:, mail:, teams: or webhook:"
            : to.channel() + ": is not set up here; set " + setting);
  }
}
