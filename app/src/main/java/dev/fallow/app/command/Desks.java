package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.NamespaceOwners;
import dev.fallow.app.Remembered;
import dev.fallow.app.WrongUse;
import dev.fallow.app.notice.NoticeBook;
import dev.fallow.app.notice.NoticeChannels;
import dev.fallow.app.notice.NoticeDesk;
import dev.fallow.app.notice.NoticeSigns;
import dev.fallow.app.report.LedgerReports;
import dev.fallow.app.report.PriceFile;
import dev.fallow.app.report.WeeklyReport;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.NoticeSettings;
import dev.fallow.app.settings.ReportSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Link;
import dev.fallow.core.notice.RetrySchedule;
import dev.fallow.core.report.WeeklyHour;
import dev.fallow.core.report.WeeklyLetter;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Opens the desk that tells owners, where a channel is set, and what is told by way of it. */
final class Desks {

  private static final RetrySchedule RETRIES =
      new RetrySchedule(Duration.ofSeconds(10), Duration.ofMinutes(15));

  private static final int MOST_NAMESPACES = 10_000;
  private static final Duration OWNERS_HOLD = Duration.ofMinutes(10);

  private Desks() {}

  /** The report of each week, if the settings ask for one. */
  static Optional<WeeklyReport> weekly(
      Settings settings, Optional<Ledger> ledger, Optional<NoticeDesk> desk, NoticeSigns signs) {
    Optional<DayOfWeek> day = settings.of(ReportSettings.REPORT_DAY);
    if (day.isEmpty()) {
      return Optional.empty();
    }
    Ledger book =
        ledger.orElseThrow(
            () -> new WrongUse("--report-day: reports are made of the ledger; name one"));
    NoticeDesk told =
        desk.filter(one -> !one.byDefault().isEmpty())
            .orElseThrow(() ->
                new WrongUse("--report-day: there is nobody to tell; set a channel and --notify"));
    return Optional.of(
        new WeeklyReport(
            new WeeklyReport.Order(
                new WeeklyHour(day.get(), settings.of(ReportSettings.REPORT_HOUR)),
                told.byDefault(),
                new WeeklyLetter(settings.of(Catalogue.CLUSTER_NAME), savingsPage(settings))),
            book,
            new LedgerReports(ledger, PriceFile.of(settings)),
            told.channel(),
            signs,
            task -> Thread.ofVirtual().name("weekly report").start(task)));
  }

  private static Optional<Link> savingsPage(Settings settings) {
    String dashboard = settings.of(NoticeSettings.DASHBOARD_URL);
    try {
      return dashboard.isEmpty()
          ? Optional.empty()
          : Optional.of(new Link(dashboard.replaceAll("/+$", "") + "/savings"));
    } catch (IllegalArgumentException refused) {
      throw new WrongUse("--dashboard-url: " + refused.getMessage());
    }
  }

  /**
   * @param book asked for only where there is a desk
   */
  static Optional<NoticeDesk> of(
      LiveCluster cluster, Supplier<NoticeBook> book, boolean rehearsal, NoticeSigns signs) {
    Settings settings = cluster.settings();
    Optional<NoticeChannels> channels =
        NoticeChannels.of(settings, cluster.console().environment());
    channels.ifPresent(found -> cluster.closing(found.outbound()));
    return channels.map(found ->
        cluster.closing(
            new NoticeDesk(
                found.channel(),
                book.get(),
                new NoticeDesk.Office(
                    found.byDefault(),
                    found.hasMail() ? owners(cluster) : namespace -> List.of(),
                    settings.of(Catalogue.CLUSTER_NAME),
                    settings.of(NoticeSettings.DASHBOARD_URL),
                    rehearsal,
                    settings.of(NoticeSettings.ACK_GRACE_PERIOD),
                    RETRIES,
                    PriceFile.of(settings),
                    settings.of(NoticeSettings.NOTIFY_MAIL_DOMAINS)),
                Clock.systemUTC(),
                signs)));
  }

  /** Where a dry run remembers who was told. */
  static NoticeBook rehearsed(Optional<Ledger> ledger) {
    return ledger
        .map(book -> NoticeBook.inTheLedger(book, Clock.systemUTC()))
        .orElseGet(NoticeBook::inMemory);
  }

  /** By mail: that is the one thing a user's name tells. */
  private static Function<String, List<Address>> owners(LiveCluster cluster) {
    NamespaceOwners owners = new NamespaceOwners(cluster.connection());
    Remembered<List<Address>> known = new Remembered<>(MOST_NAMESPACES);
    return namespace ->
        known.get(
            namespace,
            () ->
                owners.emailsOf(namespace).stream()
                    .map(email -> Address.parse(Address.MAIL + ":" + email))
                    .flatMap(parsed ->
                        parsed instanceof Address.Parsed.Valid valid
                            ? Stream.of(valid.address())
                            : Stream.empty())
                    .toList(),
            any -> OWNERS_HOLD);
  }
}
