package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.WorkloadWriter;
import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.core.Unavailable;
import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepRules;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Durations;
import dev.fallow.core.ownership.OwnerResolver;
import dev.fallow.core.prune.Outcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
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
      Optional<Workload> seen = seen(cluster, workload);
      Keep wished = new Keep(now.plus(length), cluster.caller(), reason);
      Keep keep =
          KeepTerm.atLeast(length)
              .over(seen.flatMap(Workload::rootObject).flatMap(root -> Keep.on(root, now)), wished);
      Outcome outcome =
          new WorkloadWriter(cluster.forChanges(), Clock.systemUTC(), StepsOfTests.OBSERVER)
              .note(workload, call.flag("--clear") ? Keep.cleared() : keep.marks());
      return switch (outcome) {
        case Outcome.Done done when call.flag("--clear") ->
            cleared(call, workload, seen.flatMap(one -> Keep.belowTheRoot(one, now)));
        case Outcome.Done done -> {
          call.console()
              .say(
                  workload
                      + " is kept until "
                      + keep.until()
                      + (keep.equals(wished) ? "" : " already; --clear ends that"));
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

  private static int cleared(Call call, ObjectId workload, Optional<ObjectId> stillKept) {
    call.console()
        .say(
            stillKept
                .map(other -> Keep.goesOn(workload, other))
                .orElse(workload + " is not kept any more"));
    return stillKept.isPresent() ? ExitCode.ATTENTION : ExitCode.DONE;
  }

  /** With all below it; nothing where it holds no GPU, or whoever calls may not look. */
  private static Optional<Workload> seen(LiveCluster cluster, ObjectId workload) {
    try {
      return OwnerResolver.workloadsOf(cluster.readOne()).stream()
          .filter(one -> one.root().equals(workload))
          .findFirst();
    } catch (Unavailable unseen) {
      return Optional.empty();
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
