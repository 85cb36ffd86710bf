package dev.fallow.app.notice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.app.settings.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Who asked to be told, and is not. */
class NoticeChannelsTest {

  @Test
  void aChannelThatNothingLeadsToIsNamedWithWhatItTakes() {
    assertThat(NoticeChannels.unheard(settings(Map.of("slack-channel", "#gpus"))))
        .singleElement()
        .satisfies(sentence -> assertThat(sentence).contains("slack:#gpus", "--slack-webhook-url"));
    assertThat(
            NoticeChannels.unheard(
                settings(Map.of("notify", "mail:alice@example.com,teams:ml,webhook:pager"))))
        .hasSize(3);
  }

  @Test
  void whoIsToldOrAsksForNothingIsNotNamed() {
    assertThat(NoticeChannels.unheard(settings(Map.of()))).isEmpty();
    assertThat(
            NoticeChannels.unheard(
                settings(
                    Map.of(
                        "slack-channel",
                        "#gpus",
                        "slack-webhook-url",
                        "https://hooks.slack.com/services/T0/B0/x",
                        "notify",
                        "slack:#ml"))))
        .isEmpty();
  }

  private static Settings settings(Map<String, String> flags) {
    return Settings.of(flags, Map.of(), Map.of(), "");
  }
}
