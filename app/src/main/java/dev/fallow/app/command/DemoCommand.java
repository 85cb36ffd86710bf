package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.demo.DemoShow;
import dev.fallow.app.demo.FastClock;
import dev.fallow.sim.SimulatedFleet;
import java.time.InstantSource;
import java.util.OptionalInt;
import picocli.CommandLine.Model.CommandSpec;

/** The product on a simulated cluster: no cluster, no GPU, no Prometheus. */
final class DemoCommand {

  private DemoCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "demo",
            console,
            "Shows Fallow on a simulated cluster of 64 GPUs with a fast clock. Ends on Ctrl-C.")
        .option("--port", "PORT", "Where the dashboard is served; 8080 by default, or a free one.")
        .option("--speed", "FACTOR", "How much faster than real time; 60 by default.")
        .option("--seed", "NUMBER", "Which cluster to simulate; 7 by default.")
        .option("--for", "SECONDS", "End by itself after this many real seconds.")
        .build(DemoCommand::run);
  }

  private static int run(Call call) {
    long speed = number(call, "--speed", 60, 1, 100_000);
    long seed = number(call, "--seed", 7, 0, Long.MAX_VALUE);
    OptionalInt port =
        call.option("--port").isPresent()
            ? OptionalInt.of((int) number(call, "--port", 0, 0, 65_535))
            : OptionalInt.empty();
    long seconds = number(call, "--for", 0, 0, 86_400);
    SimulatedFleet fleet = SimulatedFleet.demo(seed);
    FastClock clock = new FastClock(InstantSource.system(), fleet.start(), speed);
    return new DemoShow(call.console(), fleet, clock, port).run(seconds);
  }

  private static long number(Call call, String option, long byDefault, long least, long most) {
    String text = call.option(option).orElse(Long.toString(byDefault));
    if (!text.matches("[0-9]{1,18}")
        || Long.parseLong(text) < least
        || Long.parseLong(text) > most) {
      throw new WrongUse(
          option + ": \"" + text + "\" is not a whole number from " + least + " to " + most);
    }
    return Long.parseLong(text);
  }
}
