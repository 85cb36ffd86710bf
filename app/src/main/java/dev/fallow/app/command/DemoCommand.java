package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.demo.DemoShow;
import dev.fallow.app.demo.FastClock;
import dev.fallow.core.Unavailable;
import dev.fallow.sim.SimulatedFleet;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.InstantSource;
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
    int port = (int) number(call, "--port", 8080, 0, 65_535);
    if (call.option("--port").isPresent()) {
      refuseTaken(port);
    }
    long seconds = number(call, "--for", 0, 0, 86_400);
    SimulatedFleet fleet = SimulatedFleet.demo(seed);
    FastClock clock = new FastClock(InstantSource.system(), fleet.start(), speed);
    return new DemoShow(call.console(), fleet, clock, port).run(seconds);
  }

  /** Whoever names a port means that one; without a name any that is free will do. */
  private static void refuseTaken(int port) {
    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      // It can be had, and is given back for the demo to take.
    } catch (IOException taken) {
      throw new Unavailable(
          "demo",
          "the port 127.0.0.1:" + port + " cannot be had; name another with --port, or none",
          false,
          taken);
    }
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
