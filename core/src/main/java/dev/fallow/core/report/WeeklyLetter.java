package dev.fallow.core.report;

import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.notice.Fact;
import dev.fallow.core.notice.Link;
import dev.fallow.core.notice.Message;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Writes the message of a week.
 *
 * @param cluster its name, empty if it has none
 * @param link where there is more to see
 */
public record WeeklyLetter(String cluster, Optional<Link> link) {

  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMM uuuu", Locale.ROOT).withZone(ZoneOffset.UTC);

  private static final int NAMED = 3;

  /** The same text whoever writes it, under an id that names the week. */
  public Message of(Report report) {
    LocalDate end = report.period().to().atZone(ZoneOffset.UTC).toLocalDate();
    return new Message(
        "report-" + end,
        Message.Kind.REPORT,
        "",
        "",
        "GPU report"
            + (cluster.isEmpty() ? "" : " of " + cluster)
            + ": "
            + DAY.format(report.period().from())
            + " to "
            + DAY.format(report.period().to()),
        sentence(report),
        facts(report),
        Optional.empty(),
        List.of(),
        link,
        false);
  }

  private static String sentence(Report report) {
    Sum total = report.total();
    return "%s of %s GPU hours were idle and cost %s%s. Pauses saved %s GPU hours, worth %s%s."
        .formatted(
            hours(total.hours(GpuState.IDLE)),
            hours(total.heldHours()),
            Money.text(total.money(GpuState.IDLE), report.currency()),
            change(report, sum -> sum.money(GpuState.IDLE)),
            hours(total.hours(GpuState.SAVED)),
            Money.text(total.money(GpuState.SAVED), report.currency()),
            change(report, sum -> sum.money(GpuState.SAVED)));
  }

  private static String change(Report report, ToDoubleFunction<Sum> something) {
    OptionalDouble change = report.change(something);
    if (change.isEmpty()) {
      return "";
    }
    long percent = Math.round(Math.abs(change.getAsDouble()) * 100);
    return percent == 0
        ? ", as in the week before"
        : ", %d %% %s than in the week before"
            .formatted(percent, change.getAsDouble() > 0 ? "more" : "less");
  }

  private static List<Fact> facts(Report report) {
    List<Fact> facts = new ArrayList<>();
    Sum total = report.total();
    facts.add(
        new Fact(
            "GPU hours",
            "busy %s, idle %s, kept %s, unknown %s, saved %s"
                .formatted(
                    hours(total.hours(GpuState.BUSY)),
                    hours(total.hours(GpuState.IDLE)),
                    hours(total.hours(GpuState.KEPT)),
                    hours(total.hours(GpuState.UNKNOWN)),
                    hours(total.hours(GpuState.SAVED)))));
    facts.add(new Fact("cost of all", Money.text(total.cost(), report.currency())));
    named(facts, "idle most, by namespace", report, report.namespaces());
    if (report.teams().stream().anyMatch(team -> !team.key().isEmpty())) {
      named(facts, "idle most, by team", report, report.teams());
    }
    named(facts, "idle most, by model", report, report.models());
    if (!report.worst().isEmpty()) {
      facts.add(
          new Fact(
              "worst",
              report.worst().stream()
                  .limit(NAMED)
                  .map(one -> one.workload() + " " + wasted(one.sum(), report))
                  .collect(Collectors.joining(", "))));
    }
    Regrets regrets = report.regrets();
    facts.add(
        new Fact(
            "regrets",
            regrets.pauses() == 0
                ? "nothing was paused"
                : "%d of %d pauses were taken back within %d min"
                    .formatted(
                        regrets.items().size(), regrets.pauses(), regrets.within().toMinutes())));
    return facts;
  }

  private static void named(List<Fact> facts, String name, Report report, List<Row> rows) {
    String text =
        rows.stream()
            .filter(row -> row.sum().hours(GpuState.IDLE) > 0)
            .limit(NAMED)
            .map(
                row -> (row.key().isEmpty() ? "none" : row.key()) + " " + wasted(row.sum(), report))
            .collect(Collectors.joining(", "));
    if (!text.isEmpty()) {
      facts.add(new Fact(name, text));
    }
  }

  private static String wasted(Sum sum, Report report) {
    return "%s (%s h)"
        .formatted(
            Money.text(sum.money(GpuState.IDLE), report.currency()),
            hours(sum.hours(GpuState.IDLE)));
  }

  private static String hours(double hours) {
    return String.format(Locale.ROOT, hours < 10 ? "%.1f" : "%,.0f", hours);
  }
}
