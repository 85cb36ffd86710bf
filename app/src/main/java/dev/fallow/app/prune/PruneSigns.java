package dev.fallow.app.prune;

import dev.fallow.app.log.Log;
import dev.fallow.app.notice.NoticeSigns;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.Reason;
import dev.fallow.core.idle.Usage;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.RefusalReason;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.health.Health;
import dev.fallow.server.metrics.CycleSeen;
import dev.fallow.server.metrics.PruneMetrics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** How the daemon shows what it does and how it is: log lines, metrics, health. */
public final class PruneSigns implements NoticeSigns {

  private final Health health = new Health();
  private final PruneMetrics metrics;
  private final Set<String> said = ConcurrentHashMap.newKeySet();
  private final UnconfirmedStops stops = new UnconfirmedStops();

  public PruneSigns(PriceBook prices) {
    this.metrics = new PruneMetrics(prices);
  }

  public Health health() {
    return health;
  }

  public PruneMetrics metrics() {
    return metrics;
  }

  public void begun() {
    health.started();
  }

  /** There is no lease, and why; or there is one. */
  public void alone(Optional<String> impediment) {
    impediment.ifPresentOrElse(
        sentence -> {
          if (said.add("single instance")) {
            Log.warn("single instance", "because", sentence);
          }
          health.degraded("lease", sentence, Instant.now());
        },
        () -> {
          said.remove("single instance");
          health.recovered("lease");
        });
  }

  /** What this account may not do, each with what that takes away. */
  public void mayNotAct(List<String> missing) {
    missing.stream().filter(said::add).forEach(one -> Log.warn("cannot do", "what", one));
    if (missing.isEmpty()) {
      health.recovered("rights to act");
    } else {
      health.degraded("rights to act", String.join("; ", missing), Instant.now());
    }
  }

  /** Another instance leads and shows the fleet; two that do would count it twice. */
  public void standingBy(Pruner.Report seen) {
    if (said.add("standing by")) {
      Log.info("standing by: another instance leads");
    }
    metrics.standingBy(seen.inspection().at());
    health.recovered("kubernetes");
    health.recovered("cycle");
    health.recovered("fleet");
    health.recovered("writes");
    metricsSource(seen.inspection().usage());
    notes(seen.inspection().cluster().notes());
  }

  /** There is no place for a ledger, though none was forbidden. */
  public void withoutLedger() {
    String sentence =
        "there is no writable folder for the ledger, so nothing is remembered for history and"
            + " reports; give --ledger a file on a volume or the address of a PostgreSQL database,"
            + " or none";
    Log.warn("no ledger", "because", sentence);
    health.degraded("ledger", sentence, Instant.now());
  }

  /** One line for a cycle, and all that changed with it. */
  public void cycle(Pruner.Report report, boolean dryRun, double seconds) {
    said.remove("standing by");
    List<Decision> decisions = report.inspection().decisions();
    Usage usage = report.inspection().usage();
    health.recovered("kubernetes");
    health.recovered("cycle");
    metrics.paused(paused(report));
    metrics.cycle(
        new CycleSeen(
            report.inspection().at(),
            seconds,
            decisions,
            !(usage instanceof Usage.Missing),
            report.inspection().cluster().pods().size()));
    stops.followed(decisions).forEach(workload -> metrics.deed(workload, "pause", true, ""));
    metricsSource(usage);
    notes(report.inspection().cluster().notes());
    Optional<String> doubt =
        decisions.stream()
            .flatMap(decision -> decision.refusal().stream())
            .filter(refusal -> refusal.reason() == RefusalReason.FLEET_IMPLAUSIBLE)
            .map(refusal -> refusal.sentence())
            .findFirst();
    doubt.ifPresentOrElse(
        sentence -> {
          Log.warn("nothing is paused", "reason", "FLEET_IMPLAUSIBLE", "because", sentence);
          health.degraded("fleet", sentence, report.inspection().at());
        },
        () -> health.recovered("fleet"));
    Log.info(
        "cycle",
        "workloads",
        decisions.size(),
        "idle",
        decisions.stream().filter(d -> d.assessment().verdict() instanceof Verdict.Idle).count(),
        dryRun ? "wouldPause" : "toPause",
        decisions.stream().filter(d -> d.action() == Action.PAUSE).count(),
        "paused",
        report.deeds().stream().filter(d -> d.verb() == Deed.Verb.PAUSE && d.done()).count(),
        "seconds",
        Math.round(seconds * 1000) / 1000.0);
    report.deeds().stream().filter(deed -> deed.verb() == Deed.Verb.ANNOUNCE).forEach(this::deed);
    writes(report.deeds());
  }

  private void metricsSource(Usage usage) {
    switch (usage) {
      case Usage.Missing missing -> {
        Log.warn("no metrics", "because", missing.failure());
        metrics.error("prometheus", Reason.METRICS_UNAVAILABLE.name());
        health.degraded("prometheus", missing.failure(), Instant.now());
      }
      case Usage.Partial partial -> {
        Log.warn("incomplete metrics", "because", partial.warning());
        metrics.error("prometheus", Reason.PARTIAL_ANSWER.name());
        health.degraded("prometheus", partial.warning(), Instant.now());
      }
      case Usage.Complete complete -> health.recovered("prometheus");
    }
  }

  /** Each missing right once in the log, and as long as it lasts in the health. */
  private void notes(List<String> notes) {
    notes.stream().filter(said::add).forEach(note -> Log.warn("cannot read", "what", note));
    if (notes.isEmpty()) {
      health.recovered("rights");
    } else {
      health.degraded("rights", String.join("; ", notes), Instant.now());
    }
  }

  private void writes(List<Deed> deeds) {
    Optional<Deed> failed =
        deeds.stream().filter(deed -> deed.outcome() instanceof Outcome.Failed).findFirst();
    if (failed.isPresent()) {
      health.degraded("writes", failed.get().outcome().sentence(), Instant.now());
    } else if (!deeds.isEmpty()) {
      health.recovered("writes");
    }
  }

  private static Map<ObjectId, Integer> paused(Pruner.Report report) {
    Map<ObjectId, Integer> paused = new HashMap<>();
    for (OwnerObject owner : report.inspection().cluster().marked()) {
      if (PausableKind.isOff(owner)) {
        PauseNote.freedBy(owner).ifPresent(note -> paused.put(owner.workload(), note.gpus()));
      }
    }
    return paused;
  }

  /** Something was done, or tried. */
  public void deed(Deed deed) {
    String what =
        switch (deed.outcome()) {
          case Outcome.Done done ->
              switch (deed.verb()) {
                case ANNOUNCE -> "will pause";
                case PAUSE -> "paused";
                case RESUME -> "resumed";
                case UNDONE -> "undone";
                case KEEP -> "kept";
                case END_KEEP -> "not kept any more";
              };
          case Outcome.Refused refused -> "left alone";
          case Outcome.Failed failed -> "could not change";
        };
    List<Object> fields =
        new ArrayList<>(
            List.of("workload", deed.workload(), "gpus", deed.gpus(), "action", deed.actionId()));
    if (!deed.done()) {
      fields.addAll(List.of("reason", deed.reason()));
    }
    fields.addAll(List.of("because", deed.done() ? deed.sentence() : deed.outcome().sentence()));
    Log.info(what, fields.toArray());
    if (deed.outcome() instanceof Outcome.Refused refused) {
      metrics.refused(refused.refusal().reason());
    }
    if (deed.verb() == Deed.Verb.KEEP && deed.done()) {
      metrics.acknowledged(deed.workload());
    }
    boolean failed = deed.outcome() instanceof Outcome.Failed;
    if (deed.verb() == Deed.Verb.PAUSE && (deed.done() || failed) && !stops.takes(deed)) {
      metrics.deed(deed.workload(), "pause", deed.done(), deed.reason());
    }
    if (deed.verb() == Deed.Verb.UNDONE && deed.done()) {
      stops
          .givenUp(deed.actionId())
          .ifPresent(
              workload -> metrics.deed(workload, "pause", false, RefusalReason.CONTESTED.name()));
    }
    if (deed.verb() == Deed.Verb.RESUME && (deed.done() || failed)) {
      metrics.deed(deed.workload(), "resume", deed.done(), deed.reason());
    }
    if (failed) {
      metrics.error("kubernetes", deed.reason());
    }
  }

  @Override
  public void delivery(List<Address> to, Message message, Delivery delivery) {
    boolean arrived = delivery instanceof Delivery.Confirmed;
    if (to.stream().anyMatch(address -> address.channel().equals(Address.SLACK))) {
      metrics.slack(arrived);
    }
    String why =
        switch (delivery) {
          case Delivery.Confirmed confirmed -> "";
          case Delivery.Refused refused -> refused.sentence();
          case Delivery.Failed failed -> failed.sentence();
        };
    if (arrived) {
      Log.info("told", "kind", message.kind(), "workload", message.workload(), "id", message.id());
      health.recovered("notices");
    } else {
      Log.warn(
          "could not tell", "kind", message.kind(), "workload", message.workload(), "because", why);
      metrics.error("notify", "UNDELIVERED");
      health.degraded("notices", why, Instant.now());
    }
  }

  @Override
  public void nobody(ObjectId workload) {
    if (said.add("nobody")) {
      Log.warn(
          "nobody is named who could be told, so nothing is paused there",
          "workload",
          workload,
          "cure",
          "set --notify, or annotate workloads or namespaces with fallow.dev/notify");
    }
  }

  @Override
  public void unreadable(String sentence) {
    if (said.add(sentence)) {
      Log.warn("fallow.dev/notify cannot be read", "because", sentence);
    }
  }

  public void saved(double gpuHours) {
    metrics.saved(gpuHours);
  }

  /** Why the ledger fails, or that it does not. */
  public void ledger(Optional<String> trouble) {
    trouble.ifPresentOrElse(
        sentence -> {
          if (said.add("ledger")) {
            Log.warn("the ledger fails", "because", sentence);
          }
          metrics.error("ledger", "UNAVAILABLE");
          health.degraded("ledger", sentence, Instant.now());
        },
        () -> {
          said.remove("ledger");
          health.recovered("ledger");
        });
  }

  /** The outside world failed, and nothing was judged. */
  public void failed(Unavailable failure) {
    Log.warn("nothing is judged", "because", failure.getMessage());
    metrics.error(failure.source(), "UNAVAILABLE");
    health.degraded(failure.source(), String.valueOf(failure.getMessage()), Instant.now());
  }

  public void defect(RuntimeException defect) {
    Log.error("a cycle failed; this is a bug in fallow", defect);
    metrics.error("fallow", "DEFECT");
    health.degraded("cycle", "a bug: " + defect, Instant.now());
  }
}
