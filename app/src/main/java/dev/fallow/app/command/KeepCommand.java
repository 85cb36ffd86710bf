package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepRules;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.Durations;
import dev.fallow.core.prune.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Acknowledges a workload: it is left alone until then, as whoever calls asks. */
final class KeepCommand {

  private static final String USUAL = "8h";

  private KeepCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "keep", console, "Leaves a workload alone for a while, however idle it is; as you.")
        .word("KIND/NAME", "The workload, as kubectl names it: deploy/trainer.")
        .cluster()
        .option("-n|--namespace", "NAME", "Its namespace; the context's by default.")
        .option("--for", "TIME", "For how long: 8h, 90m, 2d; " + USUAL + " by default.")
        .option("--reason", "TEXT", "Why, for whoever wonders.")
        .flag("--clear", "End a keep instead.")
        .settings(List.of(Catalogue.LONGEST_KEEP))
        .build(KeepCommand::run);
  }

  private static int run(Call call) {
    WorkloadName name = WorkloadName.parse(call.words().getFirst());
    Instant now = Instant.now();
    String reason = call.option("--reason").orElse("");
    Duration length = length(call, reason);
    try (LiveCluster cluster = LiveCluster.open(call)) {
      ObjectId workload = cluster.named(name);
      Keep keep = new Keep(now.plus(length), cluster.caller(), reason);
      Outcome outcome =
          new WorkloadWriter(cluster.forChanges(), Clock.systemUTC(), StepsOfTests.OBSERVER)
              .note(workload, call.flag("--clear") ? Keep.cleared() : keep.marks());
      return switch (outcome) {
        case Outcome.Done done -> {
          call.console()
              .say(
                  call.flag("--clear")
                      ? workload + " is not kept any more"
                      : workload + " is kept until " + keep.until());
          yield ExitCode.DONE;
        }
        case Outcome.Refused refused -> {
          call.console().say(workload + " cannot be kept: " + refused.sentence());
          yield ExitCode.ATTENTION;
        }
        case Outcome.Failed failed -> {
          call.console().say(workload + " could not be kept: " + failed.sentence());
          yield ExitCode.UNAVAILABLE;
        }
      };
    }
  }

  private static Duration length(Call call, String reason) {
    String text = call.option("--for").orElse(USUAL);
    Duration length =
        Durations.parse(text)
            .orElseThrow(() ->
                new WrongUse("--for: \"" + text + "\" is no length of time; it takes 8h, 90m, 2d"));
    new KeepRules(call.settings().of(Catalogue.LONGEST_KEEP))
        .problem(length, reason)
        .ifPresent(problem -> {
          throw new WrongUse("--for or --reason: " + problem);
        });
    return length;
  }
}
