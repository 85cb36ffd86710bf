package dev.fallow.app.command;

import dev.fallow.app.notice.NoticeBook;
import dev.fallow.app.notice.NoticeChannels;
import dev.fallow.app.notice.NoticeDesk;
import dev.fallow.app.notice.NoticeSigns;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.notice.RetrySchedule;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/** Opens the desk that tells owners, where a channel is set. */
final class Desks {

  private static final RetrySchedule RETRIES =
      new RetrySchedule(Duration.ofSeconds(10), Duration.ofMinutes(15));

  private Desks() {}

  static Optional<NoticeDesk> of(
      LiveCluster cluster, NoticeBook book, boolean rehearsal, NoticeSigns signs) {
    Settings settings = cluster.settings();
    Optional<NoticeChannels> channels =
        NoticeChannels.of(settings, cluster.console().environment());
    channels.ifPresent(found -> cluster.closing(found.outbound()));
    return channels.map(found ->
        cluster.closing(
            new NoticeDesk(
                found.channel(),
                book,
                new NoticeDesk.Office(
                    found.byDefault(),
                    settings.of(Catalogue.CLUSTER_NAME),
                    settings.of(Catalogue.DASHBOARD_URL),
                    rehearsal,
                    settings.of(Catalogue.ACK_GRACE_PERIOD),
                    RETRIES),
                Clock.systemUTC(),
                signs)));
  }
}
