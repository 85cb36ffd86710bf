package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.EventWriter;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.prune.ActionId;
import dev.fallow.app.prune.Books;
import dev.fallow.app.prune.Deed;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.prune.Outcome;
import dev.fallow.core.prune.Step;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Brings one workload back exactly as it was before it was paused, as whoever calls. */
final class ResumeCommand {

  private ResumeCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "resume", console, "Brings a paused workload back exactly as it was, as you.")
        .word("KIND/NAME", "The workload, as kubectl names it: deploy/trainer.")
        .cluster()
        .option("-n|--namespace", "NAME", "Its namespace; the context's by default.")
        .flag("--wait", "Wait until its pods run.")
        .build(ResumeCommand::run);
  }

  private static int run(Call call) {
    WorkloadName name = WorkloadName.parse(call.words().getFirst());
    try (LiveCluster cluster = LiveCluster.open(call)) {
      ObjectId workload = cluster.named(name);
      KubernetesConnection changes = cluster.forChanges();
      Outcome outcome =
          new WorkloadWriter(changes, Clock.systemUTC(), StepsOfTests.OBSERVER).resume(workload);
      return conclude(call, cluster, changes, workload, outcome);
    }
  }

  private static int conclude(
      Call call,
      LiveCluster cluster,
      KubernetesConnection changes,
      ObjectId workload,
      Outcome outcome) {
    switch (outcome) {
      case Outcome.Done done -> {
        Instant now = Instant.now();
        new Books(Optional.empty(), new EventWriter(changes)::write, Step.Observer.NONE)
            .record(
                new Deed(
                    Deed.Verb.RESUME,
                    ActionId.of(workload.uid(), now),
                    now,
                    workload,
                    0,
                    0,
                    done.sentence(),
                    cluster.caller(),
                    outcome));
        if (call.flag("--wait")) {
          Waiting.untilThere(call.console(), cluster, workload);
        }
        call.console().say(done.sentence());
        return ExitCode.DONE;
      }
      case Outcome.Refused refused -> {
        call.console().say(refused.sentence());
        return ExitCode.ATTENTION;
      }
      case Outcome.Failed failed -> {
        call.console().say(workload + " could not be resumed: " + failed.sentence());
        return ExitCode.UNAVAILABLE;
      }
    }
  }
}
