package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.Version;
import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.NearestName;
import dev.fallow.core.Unavailable;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The whole command line. */
public final class Commands {

  private Commands() {}

  /** Runs one call of the program and answers its exit code. */
  public static int run(Console console, String... words) {
    CommandLine line = new CommandLine(root(console));
    line.setOut(new PrintWriter(console.out(), true, StandardCharsets.UTF_8));
    line.setErr(new PrintWriter(console.err(), true, StandardCharsets.UTF_8));
    line.setColorScheme(
        CommandLine.Help.defaultColorScheme(console.coloured() ? Ansi.ON : Ansi.OFF));
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setParameterExceptionHandler((refused, said) -> refuse(console, refused));
    line.setExecutionExceptionHandler((failure, command, parsed) -> handle(console, failure));
    try {
      return line.execute(words);
    } finally {
      console.flush();
    }
  }

  static CommandSpec root(Console console) {
    CommandSpec[] self = new CommandSpec[1];
    Runnable nothingSaid =
        () -> {
          throw new CommandLine.ParameterException(
              self[0].commandLine(), "say what to do: one of the commands below");
        };
    CommandSpec root =
        CommandSpec.wrapWithoutInspection(nothingSaid).name("fallow").version(Version.line());
    root.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Show this help and do nothing.")
            .build());
    root.addOption(
        OptionSpec.builder("-V", "--version")
            .versionHelp(true)
            .description("Say which version this is.")
            .build());
    self[0] = root;
    root.usageMessage()
        .width(100)
        .description("Finds idle GPUs on Kubernetes and puts them back to work.")
        .commandListHeading("%nCommands:%n");
    root.addSubcommand("list", ListCommand.spec(console));
    root.addSubcommand("why", WhyCommand.spec(console));
    // An image whose entry point is fallow is given gpu-pruner's own arguments, its name first.
    root.addSubcommand("prune", PruneCommand.spec("prune", console).aliases("gpu-pruner"));
    root.addSubcommand("serve", ServeCommand.spec(console));
    root.addSubcommand("keep", KeepCommand.spec(console));
    root.addSubcommand("pause", PauseCommand.spec(console));
    root.addSubcommand("resume", ResumeCommand.spec(console));
    root.addSubcommand("history", HistoryCommand.spec(console));
    root.addSubcommand("report", ReportCommand.spec(console));
    root.addSubcommand("doctor", DoctorCommand.spec(console));
    root.addSubcommand("hpa", HpaCommand.spec(console));
    root.addSubcommand("demo", DemoCommand.spec(console));
    root.addSubcommand("record", RecordCommand.spec(console));
    root.addSubcommand("replay", ReplayCommand.spec(console));
    root.addSubcommand("settings", SettingsCommand.spec(console));
    root.addSubcommand("completion", CompletionCommand.spec(console));
    return root;
  }

  /**
   * What was wrong, what was probably meant, and where to read on. The whole help is for who has
   * said nothing.
   */
  private static int refuse(Console console, CommandLine.ParameterException refused) {
    CommandLine line = refused.getCommandLine();
    Optional<String> near = meant(refused).map(name -> "; did you mean " + name + "?");
    console.say(what(refused) + near.orElse(""));
    if (line.getParent() == null && line.getParseResult().originalArgs().isEmpty()) {
      line.usage(line.getErr());
    } else {
      console.say("see: " + line.getCommandSpec().qualifiedName() + " --help");
    }
    return ExitCode.WRONG_USE;
  }

  /**
   * Of words that nothing takes only the first is repeated, without its value: after a name that is
   * misspelt may stand a secret.
   */
  private static String what(CommandLine.ParameterException refused) {
    if (!(refused instanceof CommandLine.UnmatchedArgumentException unmatched)) {
      return String.valueOf(refused.getMessage());
    }
    String word = unmatched.getUnmatched().getFirst().replaceFirst("(?s)=.*", "");
    boolean told = word.startsWith("-") || !word.contains("://");
    return (word.startsWith("-") ? "unknown option" : "unexpected word")
        + (told ? " '" + word + "'" : "");
  }

  private static Optional<String> meant(CommandLine.ParameterException refused) {
    if (!(refused instanceof CommandLine.UnmatchedArgumentException unmatched)) {
      return Optional.empty();
    }
    CommandSpec spec = refused.getCommandLine().getCommandSpec();
    String word = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
    return NearestName.of(
        word, word.startsWith("-") ? spec.optionsMap().keySet() : spec.subcommands().keySet());
  }

  private static int handle(Console console, Exception failure) {
    return switch (failure) {
      case WrongUse wrong -> {
        console.say(String.valueOf(wrong.getMessage()));
        yield ExitCode.WRONG_USE;
      }
      case InvalidPathException noPath -> {
        console.say(
            "'%s' cannot be the path of a file here (%s); see the locale, LC_ALL=C.UTF-8 takes all"
                .formatted(noPath.getInput(), noPath.getReason()));
        yield ExitCode.WRONG_USE;
      }
      case Unavailable unavailable -> {
        String hope =
            unavailable.retryable()
                ? "Trying again may help."
                : "Trying again does not help before that is mended.";
        String what = String.valueOf(unavailable.getMessage()).strip();
        console.say(what + (what.endsWith(".") ? " " : ". ") + hope);
        yield ExitCode.UNAVAILABLE;
      }
      default -> {
        console.say("this is a bug in fallow; please report it with the lines below");
        failure.printStackTrace(console.err());
        yield ExitCode.DEFECT;
      }
    };
  }
}
