package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.EventWriter;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.prune.ActionId;
import dev.fallow.app.prune.Books;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.HandPause;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.ownership.OwnerResolver;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.PauseNote;
import dev.fallow.core.prune.Step;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Pauses one workload by hand, as whoever calls. It is not asked whether it is idle. */
final class PauseCommand {

  private PauseCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "pause",
            console,
            "Pauses one GPU workload at zero replicas, as you; fallow resume brings it back.")
        .word("KIND/NAME", "The workload, as kubectl names it: deploy/trainer.")
        .cluster()
        .option("-n|--namespace", "NAME", "Its namespace; the context's by default.")
        .option("--reason", "TEXT", "Why, for whoever finds it paused.")
        .flag("--wait", "Wait until its pods are gone.")
        .build(PauseCommand::run);
  }

  private static int run(Call call) {
    WorkloadName name = WorkloadName.parse(call.words().getFirst());
    try (LiveCluster cluster = LiveCluster.open(call)) {
      ClusterState state = cluster.readOne();
      Workload workload = find(state, name, cluster.namespace());
      KubernetesConnection changes = cluster.forChanges();
      WorkloadWriter writer = new WorkloadWriter(changes, Clock.systemUTC(), StepsOfTests.OBSERVER);
      Instant now = Instant.now();
      Intent intent = new Intent(ActionId.of(workload.root().uid(), now), "by-hand", now);
      String why = call.option("--reason").orElse("by hand");
      Outcome outcome =
          HandPause.of(
              writer,
              workload,
              intent,
              PauseNote.of(
                  cluster.caller(), "Paused: " + why + ".", workload, state.sharingNodes()));
      return conclude(call, cluster, changes, workload, intent, why, outcome);
    }
  }

  private static int conclude(
      Call call,
      LiveCluster cluster,
      KubernetesConnection changes,
      Workload workload,
      Intent intent,
      String why,
      Outcome outcome) {
    switch (outcome) {
      case Outcome.Done done -> {
        new Books(Optional.empty(), new EventWriter(changes)::write, Step.Observer.NONE)
            .record(
                new Deed(
                    Deed.Verb.PAUSE,
                    intent.id(),
                    Instant.now(),
                    workload.root(),
                    workload.gpus(),
                    0,
                    why,
                    cluster.caller(),
                    outcome));
        if (call.flag("--wait")) {
          Waiting.untilGone(call.console(), cluster, workload);
        }
        call.console()
            .say(
                "paused "
                    + workload.root()
                    + "; bring it back with: fallow resume -n "
                    + workload.namespace()
                    + " "
                    + workload.root().qualifiedKind().toLowerCase(Locale.ROOT)
                    + "/"
                    + workload.root().name());
        return ExitCode.DONE;
      }
      case Outcome.Refused refused -> {
        call.console().say(workload.root() + " was not paused: " + refused.sentence());
        return ExitCode.ATTENTION;
      }
      case Outcome.Failed failed -> {
        call.console().say(workload.root() + " could not be paused: " + failed.sentence());
        return ExitCode.UNAVAILABLE;
      }
    }
  }

  private static Workload find(ClusterState state, WorkloadName name, String namespace) {
    List<Workload> found =
        OwnerResolver.workloadsOf(state).stream()
            .filter(workload -> name.names(workload.root()))
            .filter(workload -> workload.namespace().equals(namespace))
            .toList();
    if (found.size() != 1) {
      throw new WrongUse(
          (found.isEmpty() ? "no GPU workload" : "more than one workload")
              + " in the namespace "
              + namespace
              + " is called "
              + name
              + "; fallow list shows those there are, -n chooses the namespace");
    }
    return found.getFirst();
  }

  /** Longest that a person waits for pods to come or go. */
  static final Duration PATIENCE = Duration.ofMinutes(10);
}
