package dev.fallow.server.report;

import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.report.Money;
import dev.fallow.core.report.Offender;
import dev.fallow.core.report.Regret;
import dev.fallow.core.report.Report;
import dev.fallow.core.report.Row;
import dev.fallow.core.report.Sum;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * A report as one page that needs nothing else: no script, no request, light or dark as the reader
 * likes it. Every name in it is somebody else's text and is escaped.
 */
public final class ReportPage {

  private static final String STYLE =
      """
      :root { color-scheme: light dark; --ink: #1a1d21; --soft: #555c66; --paper: #fff; --line: #d5d9df;
        --busy: #2e7d4f; --idle: #c2410c; --kept: #7c5cbf; --unknown: #7a828c; --saved: #1d6fb8; }
      @media (prefers-color-scheme: dark) { :root { --ink: #e8eaed; --soft: #a8b0ba; --paper: #16181b;
        --line: #3a4048; --busy: #5fbf85; --idle: #ff8f5c; --kept: #b79cf0; --unknown: #98a1ac; --saved: #6db3f2; } }
      body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 64rem;
        margin: 0 auto; padding: 1.5rem; }
      h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
      p { margin: .25rem 0; } .soft { color: var(--soft); }
      dl { display: flex; flex-wrap: wrap; gap: 1rem 2.5rem; margin: 1.25rem 0; }
      dt { color: var(--soft); } dd { margin: 0; font-size: 1.4rem; } dd small { display: block; font-size: .85rem;
        color: var(--soft); }
      .scroll { overflow-x: auto; }
      table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
      caption { text-align: left; color: var(--soft); }
      th, td { text-align: right; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
      th:first-child, td:first-child { text-align: left; overflow-wrap: anywhere; } .words { text-align: left; }
      tbody th { font-weight: normal; }
      svg { width: 100%; height: auto; } svg text { fill: var(--soft); font-size: 11px; }
      .busy { fill: var(--busy); } .idle { fill: var(--idle); } .kept { fill: var(--kept); }
      .unknown { fill: var(--unknown); } .saved { fill: var(--saved); }
      ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; }
      ul svg { width: .8rem; height: .8rem; }
      """;

  /** What a browser may load for the page: its own style, and nothing. */
  public static final String POLICY = "default-src 'none'; style-src '" + hashOf(STYLE) + "'";

  private static final Set<String> WORDS = Set.of("Team", "Paused", "Resumed", "By");

  private static final DateTimeFormatter MOMENT =
      DateTimeFormatter.ofPattern("d MMM uuuu HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Report report;
  private final StringBuilder html = new StringBuilder();

  private ReportPage(Report report) {
    this.report = report;
  }

  public static String of(Report report) {
    return new ReportPage(report).page();
  }

  private String page() {
    String title =
        "GPU report, " + moment(report.period().from()) + " to " + moment(report.period().to());
    html.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.append("<meta http-equiv=\"Content-Security-Policy\" content=\"").append(POLICY);
    html.append("\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
    html.append(escaped(title)).append("</title>\n<style>").append(STYLE).append("</style>\n");
    html.append("</head>\n<body>\n<main>\n<h1>GPU report</h1>\n<p class=\"soft\">");
    html.append(moment(report.period().from())).append(" to ");
    html.append(moment(report.period().to())).append("</p>\n");
    figures();
    if (report.total().isZero()) {
      html.append("<p>The ledger has nothing for this time.</p>\n");
    } else {
      html.append(DayChart.of(report.days()));
    }
    rows("Namespaces", "Namespace", report.namespaces());
    rows("Teams", "Team", report.teams());
    rows("Models", "Model", report.models());
    worst();
    regrets();
    return html.append("</main>\n</body>\n</html>\n").toString();
  }

  private void figures() {
    html.append("<dl>\n");
    figure("Cost of all GPU time", Sum::cost);
    figure("Wasted by idle GPUs", sum -> sum.money(GpuState.IDLE));
    figure("Saved by pauses", sum -> sum.money(GpuState.SAVED));
    html.append("</dl>\n");
  }

  private void figure(String name, ToDoubleFunction<Sum> what) {
    OptionalDouble change = report.change(what);
    String than =
        change.isEmpty()
            ? "nothing to compare with"
            : String.format(Locale.ROOT, "%+.0f %% against before", change.getAsDouble() * 100);
    html.append("<div><dt>").append(name).append("</dt><dd>");
    html.append(escaped(Money.text(what.applyAsDouble(report.total()), report.currency())));
    html.append("<small>").append(than).append("</small></dd></div>\n");
  }

  private void rows(String title, String name, List<Row> rows) {
    List<List<String>> lines = new ArrayList<>();
    for (Row row : rows) {
      lines.add(line(row.key().isEmpty() ? "unknown" : row.key(), row.sum()));
    }
    lines.add(line("all", report.total()));
    table(
        title,
        "GPU hours by what the GPUs did, and money",
        List.of(name, "Busy", "Idle", "Kept", "Unknown", "Saved", "Cost", "Wasted", "Saved money"),
        lines);
  }

  private List<String> line(String key, Sum sum) {
    List<String> cells = new ArrayList<>(List.of(key));
    for (GpuState state : GpuState.values()) {
      cells.add(hours(sum.hours(state)));
    }
    cells.add(Money.text(sum.cost(), report.currency()));
    cells.add(Money.text(sum.money(GpuState.IDLE), report.currency()));
    cells.add(Money.text(sum.money(GpuState.SAVED), report.currency()));
    return cells;
  }

  private void worst() {
    if (report.worst().isEmpty()) {
      return;
    }
    List<List<String>> lines = new ArrayList<>();
    for (Offender one : report.worst()) {
      lines.add(
          List.of(
              one.workload(),
              one.team(),
              hours(one.sum().hours(GpuState.IDLE)),
              Money.text(one.sum().money(GpuState.IDLE), report.currency())));
    }
    table(
        "Idle most",
        "Workloads whose GPUs lay idle, the dearest first",
        List.of("Workload", "Team", "Idle hours", "Wasted"),
        lines);
  }

  private void regrets() {
    html.append("<h2>Regrets</h2>\n<p>").append(report.regrets().items().size()).append(" of ");
    html.append(report.regrets().pauses()).append(" pauses were taken back by a person within ");
    html.append(report.regrets().within().toMinutes()).append(" minutes.</p>\n");
    if (report.regrets().items().isEmpty()) {
      return;
    }
    List<List<String>> lines = new ArrayList<>();
    for (Regret one : report.regrets().items()) {
      lines.add(
          List.of(
              one.workload().toString(),
              Integer.toString(one.gpus()),
              moment(one.paused()),
              moment(one.resumed()),
              one.by()));
    }
    table("", "The latest first", List.of("Workload", "GPUs", "Paused", "Resumed", "By"), lines);
  }

  private void table(
      String title, String caption, List<String> headings, List<List<String>> lines) {
    if (!title.isEmpty()) {
      html.append("<h2>").append(title).append("</h2>\n");
    }
    // What can be scrolled has to be reached by the keyboard as well.
    html.append("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"");
    html.append(title.isEmpty() ? caption : title).append("\">\n<table>\n<caption>");
    html.append(caption).append("</caption>\n<thead><tr>");
    for (String heading : headings) {
      html.append("<th scope=\"col\"").append(alignment(heading)).append(">").append(heading);
      html.append("</th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
    for (List<String> line : lines) {
      html.append("<tr><th scope=\"row\">").append(escaped(line.getFirst())).append("</th>");
      for (int i = 1; i < line.size(); i++) {
        html.append("<td").append(alignment(headings.get(i))).append(">");
        html.append(escaped(line.get(i))).append("</td>");
      }
      html.append("</tr>\n");
    }
    html.append("</tbody>\n</table>\n</div>\n");
  }

  /** Numbers stand below each other to the right, words to the left. */
  private static String alignment(String heading) {
    return WORDS.contains(heading) ? " class=\"words\"" : "";
  }

  private static String hours(double hours) {
    return String.format(Locale.ROOT, "%,.1f", hours);
  }

  private static String moment(Instant at) {
    return MOMENT.format(at);
  }

  /** As text: no markup, and nothing that hides or turns the direction of writing. */
  public static String escaped(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(point -> {
          switch (point) {
            case '&' -> safe.append("&amp;");
            case '<' -> safe.append("&lt;");
            case '>' -> safe.append("&gt;");
            case '"' -> safe.append("&quot;");
            case '\'' -> safe.append("&#39;");
            default -> safe.appendCodePoint(isHidden(point) ? 0xFFFD : point);
          }
        });
    return safe.toString();
  }

  private static boolean isHidden(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  private static String hashOf(String style) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(style.getBytes(StandardCharsets.UTF_8));
      return "sha256-" + Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
