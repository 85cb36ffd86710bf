package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.log.Log;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.MetricsSettings;
import dev.fallow.app.settings.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** What runs in the cluster: everything that is switched on, or one part of it. */
final class ServeCommand {

  /** Pruning and the dashboard: what {@code prune -d} is. It has the process's main thread. */
  private static final String CONTROLLER = "controller";

  /** Those that run beside it. */
  static final List<Role> ROLES = List.of(new MetricsRole(), new ExporterRole());

  private ServeCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "serve",
            console,
            "Runs in the cluster: everything that is switched on in the settings, or one part.")
        .option("--only", "PART", "Run this part alone: " + parts() + ".")
        .settings(PruneCommand.settings())
        .settings(MetricsSettings.all())
        .cluster()
        .build(ServeCommand::run);
  }

  private static String parts() {
    return Stream.concat(Stream.of(CONTROLLER), ROLES.stream().map(Role::name))
        .collect(Collectors.joining(" or "));
  }

  private static int run(Call call) {
    Settings settings = call.settings();
    Optional<String> only = call.option("--only");
    List<Role> roles =
        ROLES.stream()
            .filter(
                role -> only.map(role.name()::equals).orElseGet(() -> role.switchedOn(settings)))
            .toList();
    boolean controls = only.map(CONTROLLER::equals).orElse(true);
    if (roles.isEmpty() && !controls) {
      throw new WrongUse("--only: there is no part \"" + only.orElse("") + "\"; take " + parts());
    }
    try (Stopping stopping = Stopping.onSignal();
        LiveCluster cluster = LiveCluster.open(call, PruneCommand.scope(settings))) {
      Log.start(settings.of(Catalogue.LOG_FORMAT), Level.INFO, Level.SEVERE, call.console().err());
      if (controls) {
        cluster.sources().forVerdicts();
      }
      roles.forEach(role -> cluster.closing(role.start(call, cluster)));
      if (controls) {
        return PruneDaemon.run(
            call, cluster, stopping, ExporterRole.beside(cluster, only.isEmpty()));
      }
      if (!only.equals(Optional.of(ExporterRole.NAME))) {
        cluster.closing(ExporterRole.plain(cluster));
      }
      while (!stopping.askedWithin(Duration.ofHours(1))) {
        // The part runs on threads of its own.
      }
      Log.info("fallow stops");
      return ExitCode.DONE;
    }
  }
}
