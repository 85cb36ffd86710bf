package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.WrongUse;
import dev.fallow.app.output.OutputFormat;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Setting;
import dev.fallow.app.settings.Settings;
import dev.fallow.app.settings.SettingsFile;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.idle.Durations;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** Puts a command together from its words, its settings and what it does. */
final class CommandBuilder {

  /** What a command does once its words are understood. */
  @FunctionalInterface
  interface Body {
    int run(Call call);
  }

  /** What picocli calls: the body is known only after the options are. */
  private static final class Entry implements Callable<Integer> {
    private Callable<Integer> run = () -> ExitCode.DEFECT;

    @Override
    public Integer call() throws Exception {
      return run.call();
    }
  }

  private final Entry entry = new Entry();
  private final CommandSpec spec;
  private final Console console;
  private final List<Setting<?>> settings = new ArrayList<>();

  CommandBuilder(String name, Console console, String... description) {
    this.console = console;
    this.spec = CommandSpec.wrapWithoutInspection(entry).name(name);
    spec.usageMessage().description(description).sortOptions(false).width(100);
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Show this help and do nothing.")
            .build());
  }

  CommandBuilder settings(List<Setting<?>> taken) {
    for (Setting<?> setting : taken) {
      settings.add(setting);
      OptionSpec.Builder option =
          setting.letter() == 0
              ? OptionSpec.builder("--" + setting.name())
              : OptionSpec.builder("-" + setting.letter(), "--" + setting.name());
      if (setting.isSwitch()) {
        option.type(boolean.class).arity("0");
      } else if (setting.several()) {
        option
            .type(List.class)
            .auxiliaryTypes(String.class)
            .paramLabel(setting.placeholder())
            .arity("1");
      } else {
        option.type(String.class).paramLabel(setting.placeholder());
      }
      spec.addOption(option.description(describe(setting)).build());
    }
    if (!taken.isEmpty() && spec.findOption("--config") == null) {
      option("--config", "FILE", "YAML file of settings by their long names.");
    }
    return this;
  }

  CommandBuilder option(String name, String placeholder, String sentence) {
    spec.addOption(
        OptionSpec.builder(name.split("\\|"))
            .type(String.class)
            .paramLabel(placeholder)
            .description(sentence)
            .build());
    return this;
  }

  CommandBuilder flag(String name, String sentence) {
    spec.addOption(
        OptionSpec.builder(name).type(boolean.class).arity("0").description(sentence).build());
    return this;
  }

  /** Which cluster: as kubectl is told. */
  CommandBuilder cluster() {
    return option("--kubeconfig", "FILE", "The kubeconfig to use; as kubectl finds it by default.")
        .option("--context", "NAME", "The kubeconfig's context to use.");
  }

  /** Where the daemon is that a command asks. */
  CommandBuilder daemon() {
    return option("--server", "URL", "The daemon's address, such as http://localhost:8080.")
        .option("--service", "NS/NAME", "Its Service; fallow-system/fallow by default.")
        .cluster();
  }

  /** What every command takes that looks at a live cluster. */
  CommandBuilder live() {
    return cluster()
        .option("-n|--namespace", "NAME", "Only this namespace; all by default.")
        .option("--at", "TIME", "The moment to judge, in RFC 3339; now by default.")
        .settings(Catalogue.rules())
        .settings(Catalogue.limits())
        .settings(Catalogue.sources());
  }

  CommandBuilder output() {
    return option("-o|--output", "FORMAT", OutputFormat.choice() + "; table by default.");
  }

  /** Exactly one word, after those asked for before; a further one is refused. */
  CommandBuilder word(String label, String sentence) {
    spec.addPositional(
        PositionalParamSpec.builder()
            .paramLabel(label)
            .index(Integer.toString(spec.positionalParameters().size()))
            .arity("1")
            .required(true)
            .type(String.class)
            .description(sentence)
            .build());
    return this;
  }

  /** One word or more. */
  CommandBuilder words(String label, String sentence) {
    spec.addPositional(
        PositionalParamSpec.builder()
            .paramLabel(label)
            .arity("1..*")
            .required(true)
            .type(List.class)
            .auxiliaryTypes(String.class)
            .description(sentence)
            .build());
    return this;
  }

  CommandSpec build(Body body) {
    entry.run =
        () -> {
          Call call = new Call(spec.commandLine().getParseResult(), console, settings);
          // What cannot be understood is said before anybody is asked anything.
          call.at();
          return body.run(call);
        };
    return spec;
  }

  private static String describe(Setting<?> setting) {
    String byDefault =
        setting.byDefault().isEmpty() || setting.isSwitch()
            ? ""
            : " Default: " + setting.byDefault() + ".";
    String range = setting.isSwitch() ? "" : " Takes " + setting.range() + ".";
    // The library takes a per cent sign for the beginning of a format.
    return (setting.sentence() + range + byDefault).replace("%", "%%");
  }

  /** One call of a command: its words, and where it speaks. */
  record Call(ParseResult parsed, Console console, List<Setting<?>> taken) {

    Optional<String> option(String name) {
      return Optional.ofNullable(parsed.<String>matchedOptionValue(name, null));
    }

    /** The moment to judge: now, unless the call names another. */
    Instant at() {
      return option("--at")
          .map(text ->
              ObjectTree.parseInstant(text)
                  .orElseThrow(() ->
                      new WrongUse(
                          "--at: \""
                              + text
                              + "\" is no moment; it takes RFC 3339, such as"
                              + " 2026-11-02T12:00:00Z")))
          .orElseGet(() -> Instant.now().truncatedTo(ChronoUnit.MILLIS));
    }

    /** A moment as an option gives it: itself, or how long ago. */
    Optional<Instant> since(String option) {
      return option(option)
          .map(text ->
              ObjectTree.parseInstant(text)
                  .or(() -> Durations.parse(text).map(ago -> Instant.now().minus(ago)))
                  .orElseThrow(() ->
                      new WrongUse(
                          option
                              + ": \""
                              + text
                              + "\" is neither a moment in RFC 3339 nor a duration")));
    }

    boolean flag(String name) {
      return parsed.hasMatchedOption(name);
    }

    List<String> words() {
      return parsed.matchedPositionals().stream()
          .flatMap(words -> words.stringValues().stream())
          .toList();
    }

    OutputFormat output() {
      String format = option("--output").orElse("table");
      return Arrays.stream(OutputFormat.values())
          .filter(one -> one.name().equalsIgnoreCase(format))
          .findFirst()
          .orElseThrow(() ->
              new WrongUse(
                  "--output: \"" + format + "\" is no format; it takes " + OutputFormat.choice()));
    }

    /** The settings in force for this call. */
    Settings settings() {
      Map<String, String> flags = new HashMap<>();
      for (Setting<?> setting : taken) {
        if (setting.isSwitch()) {
          if (flag("--" + setting.name())) {
            flags.put(setting.name(), "true");
          }
        } else if (setting.several()) {
          List<String> values = parsed.matchedOptionValue("--" + setting.name(), List.of());
          if (!values.isEmpty()) {
            flags.put(setting.name(), String.join(",", values));
          }
        } else {
          option("--" + setting.name()).ifPresent(text -> flags.put(setting.name(), text));
        }
      }
      Map<String, String> environment = console.environment();
      Optional<String> file =
          option("--config")
              .or(() -> Optional.ofNullable(environment.get("FALLOW_CONFIG")))
              .filter(path -> !path.isEmpty());
      Map<String, String> entries =
          file.map(path -> SettingsFile.read(Path.of(path))).orElse(Map.of());
      return Settings.of(flags, environment, entries, file.orElse(""));
    }
  }
}
