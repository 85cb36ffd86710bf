package dev.fallow.app.demo;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.Inspection;
import dev.fallow.app.log.Log;
import dev.fallow.app.output.Style;
import dev.fallow.app.output.Table;
import dev.fallow.app.output.VerdictStyle;
import dev.fallow.app.output.WorkloadList;
import dev.fallow.app.output.WorkloadRow;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.Pruner;
import dev.fallow.app.settings.LogFormat;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.sim.SimulatedFleet;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;

/**
 * Judges the simulated cluster over and over on its fast clock and tells what changes: the same
 * code as on a real cluster, behind the same ports.
 */
public final class DemoShow {

  private static final Duration CYCLE = Duration.ofSeconds(2);
  private static final Duration TICK = Duration.ofMillis(200);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Console console;
  private final SimulatedFleet fleet;
  private final FastClock clock;
  private final OptionalInt port;
  private final Map<String, Verdict> known = new HashMap<>();

  /**
   * @param port where the page is served, if somebody has said
   */
  public DemoShow(Console console, SimulatedFleet fleet, FastClock clock, OptionalInt port) {
    this.console = console;
    this.fleet = fleet;
    this.clock = clock;
    this.port = port;
  }

  /**
   * @param seconds how long to show, in real time; 0 for as long as nobody ends it
   */
  public int run(long seconds) {
    CountDownLatch ended = new CountDownLatch(1);
    CountDownLatch silent = new CountDownLatch(1);
    Thread goodbye =
        new Thread(() -> {
          ended.countDown();
          awaitQuietly(silent);
          // A JVM that is ended by a signal answers with the signal's number; this one is done.
          Runtime.getRuntime().halt(ExitCode.DONE);
        });
    Runtime.getRuntime().addShutdownHook(goodbye);
    Log.start(LogFormat.DEFAULT, Level.WARNING, Level.SEVERE, console.err());
    Semaphore nudges = new Semaphore(0);
    try (DemoSite site = new DemoSite(fleet, clock, port, nudges::release)) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
      greet(site);
      do {
        cycle(site);
      } while (!awaitEnd(
          ended, nudges, seconds == 0 ? Long.MAX_VALUE : deadline - System.nanoTime()));
      farewell();
    } finally {
      console.flush();
      silent.countDown();
    }
    if (ended.getCount() > 0) {
      Runtime.getRuntime().removeShutdownHook(goodbye);
    }
    return ExitCode.DONE;
  }

  /** Until the next cycle is due, or somebody has clicked, or the end. */
  private static boolean awaitEnd(CountDownLatch ended, Semaphore nudges, long leftNanos) {
    if (leftNanos <= 0) {
      return true;
    }
    try {
      long wait = Math.min(CYCLE.toNanos(), leftNanos);
      long end = System.nanoTime() + wait;
      while (ended.getCount() > 0 && System.nanoTime() < end) {
        if (nudges.tryAcquire(Math.min(wait, TICK.toNanos()), TimeUnit.NANOSECONDS)) {
          nudges.drainPermits();
          break;
        }
      }
      return ended.getCount() == 0;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      boolean _ = latch.await(3, TimeUnit.SECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void greet(DemoSite site) {
    console
        .out()
        .printf(
            Locale.ROOT,
            "A simulated cluster of %d GPUs, %d nodes, %d workloads, with a week of history."
                + " One second here is %d of its own.%n"
                + "The dashboard: %s%n%n",
            fleet.gpus(),
            fleet.nodes().size(),
            fleet.workloads().size(),
            clock.speed(),
            bold(site.url()));
  }

  private void cycle(DemoSite site) {
    Pruner.Report report = site.cycle();
    Inspection inspection = report.inspection();
    if (known.isEmpty()) {
      firstLook(inspection);
    } else {
      changes(inspection);
    }
    report.deeds().stream().filter(Deed::done).forEach(deed -> tell(inspection.at(), deed));
    inspection.decisions().forEach(d -> known.put(nameOf(d), d.assessment().verdict()));
    console.flush();
  }

  private void tell(Instant at, Deed deed) {
    String what =
        switch (deed.verb()) {
          case ANNOUNCE -> "will be paused";
          case PAUSE -> "PAUSED, frees " + deed.gpus() + " GPUs";
          case RESUME -> "RESUMED by " + deed.by();
          case KEEP -> "KEPT by " + deed.by();
          case END_KEEP, UNDONE -> "";
        };
    if (!what.isEmpty()) {
      console
          .out()
          .printf(
              "%s  %-38s %s%n",
              TIME.format(at), Style.visible(deed.workload().toString()), Style.visible(what));
    }
  }

  private void firstLook(Inspection inspection) {
    List<WorkloadRow> rows = WorkloadRow.of(inspection.decisions(), PriceBook.standard());
    Table table = new Table(WorkloadRow.HEADINGS);
    rows.forEach(row -> table.row(row.cells(inspection.at())));
    table.print(console.out(), console.coloured());
    console.out().println();
    console.out().println(bold(WorkloadList.summary(rows)) + ".");
    rows.stream()
        .filter(row -> row.decision().assessment().verdict() instanceof Verdict.Idle)
        .findFirst()
        .ifPresent(this::explainWorst);
    console.out().println();
    console.out().println("On your own cluster, changing nothing there:");
    console.out().println("  bin/fallow list                      ranks its workloads like this");
    console.out().println("  bin/fallow why deploy/NAME           proves one verdict");
    console.out().println("  bin/fallow doctor                    says what is missing");
    console.out().println();
    console.out().println("Now watch it work, here or on the dashboard. Ctrl-C ends the demo.");
  }

  private void explainWorst(WorkloadRow worst) {
    console
        .out()
        .println(
            "The worst of them, "
                + bold(nameOf(worst.decision()))
                + ": "
                + worst.decision().sentence()
                + ".");
  }

  private void changes(Inspection inspection) {
    for (Decision decision : inspection.decisions()) {
      Verdict before = known.get(nameOf(decision));
      Verdict now = decision.assessment().verdict();
      if (before == null || !before.name().equals(now.name())) {
        console
            .out()
            .printf(
                "%s  %-38s %s → %s  %s%n",
                TIME.format(inspection.at()),
                Style.visible(nameOf(decision)),
                before == null ? "new" : coloured(before),
                coloured(now),
                Style.visible(decision.sentence()));
      }
    }
  }

  private void farewell() {
    console.out().println();
    console
        .out()
        .println("The demo ends; nothing was changed anywhere. README.md says how to go on.");
  }

  private String coloured(Verdict verdict) {
    return VerdictStyle.style(verdict).on(verdict.name(), console.coloured());
  }

  private String bold(String text) {
    return Style.BOLD.on(Style.visible(text), console.coloured());
  }

  private static String nameOf(Decision decision) {
    return decision.assessment().workload().root().toString();
  }
}
