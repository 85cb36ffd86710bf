package dev.fallow.app.report;

import dev.fallow.app.notice.NoticeSigns;
import dev.fallow.core.Unavailable;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Channel;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import dev.fallow.core.notice.RetrySchedule;
import dev.fallow.core.report.Report;
import dev.fallow.core.report.WeeklyHour;
import dev.fallow.core.report.WeeklyLetter;
import dev.fallow.server.report.ReportSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends the report of the week to each address once. Whoever sends it claims it in the ledger
 * first, so that neither a restart nor another leader sends it again; a delivery that is known to
 * have failed gives the claim back and is tried again for a day. If the program dies while it
 * sends, that week's message may be missing there, and never be there twice.
 */
public final class WeeklyReport {

  /** A report that is later than this is last week's news. */
  private static final Duration LATEST = Duration.ofDays(1);

  private static final RetrySchedule RETRIES =
      new RetrySchedule(Duration.ofMinutes(1), Duration.ofMinutes(30));

  /**
   * Who is told what, and when.
   *
   * @param to each of whom gets it
   */
  public record Order(WeeklyHour when, List<Address> to, WeeklyLetter letter) {
    public Order {
      to = List.copyOf(to);
    }
  }

  private final Order order;
  private final Ledger ledger;
  private final ReportSource reports;
  private final Channel channel;
  private final NoticeSigns signs;
  private final Executor aside;
  private final AtomicBoolean running = new AtomicBoolean();
  private final Set<Address> settled = new HashSet<>();
  private Instant week = Instant.MIN;
  private Instant next = Instant.MIN;
  private int attempts;

  /**
   * @param aside where it is done, so that nobody waits for it
   */
  public WeeklyReport(
      Order order,
      Ledger ledger,
      ReportSource reports,
      Channel channel,
      NoticeSigns signs,
      Executor aside) {
    this.order = order;
    this.ledger = ledger;
    this.reports = reports;
    this.channel = channel;
    this.signs = signs;
    this.aside = aside;
  }

  /** To be called now and then by whoever leads; returns at once. */
  public void at(Instant now) {
    Instant due = order.when().latest(now);
    if (now.isAfter(due.plus(LATEST)) || !running.compareAndSet(false, true)) {
      return;
    }
    if (!due.equals(week)) {
      week = due;
      next = now;
      attempts = 0;
      settled.clear();
    }
    if (settled.containsAll(order.to()) || now.isBefore(next)) {
      running.set(false);
      return;
    }
    aside.execute(() -> {
      try {
        send(due, now);
      } finally {
        running.set(false);
      }
    });
  }

  private void send(Instant due, Instant now) {
    try {
      Report report =
          reports.read(Optional.of(due.minus(WeeklyHour.WEEK)), Optional.of(due), any -> true);
      if (report.total().isZero()) {
        // A ledger that has just begun has nothing to tell.
        settled.addAll(order.to());
        return;
      }
      Message message = order.letter().of(report);
      order.to().stream()
          .filter(address -> !settled.contains(address))
          .forEach(address -> send(address, message, claim(due, address), now));
    } catch (Unavailable ledgerAway) {
      // The cycle meets the same silence, and tells of it.
    }
    attempts++;
    next = now.plus(RETRIES.delay("report-" + due, attempts, Optional.empty()));
  }

  /** By the day alone: who moves the hour on that day does not get it twice. */
  private static String claim(Instant due, Address address) {
    return "report-" + due.atZone(ZoneOffset.UTC).toLocalDate() + " " + address.text();
  }

  private void send(Address address, Message message, String claim, Instant now) {
    if (!ledger.claim(claim, now)) {
      settled.add(address);
      return;
    }
    Delivery delivery = channel.deliver(address, message);
    signs.delivery(List.of(address), message, delivery);
    switch (delivery) {
      case Delivery.Confirmed confirmed -> settled.add(address);
      case Delivery.Refused refused -> settled.add(address);
      case Delivery.Failed failed -> ledger.release(claim);
    }
  }
}
