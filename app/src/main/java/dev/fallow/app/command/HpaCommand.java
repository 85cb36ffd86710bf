package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.Autoscalers;
import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.WrongUse;
import dev.fallow.app.autoscale.HpaReckoner;
import dev.fallow.app.autoscale.PastUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.output.Fields;
import dev.fallow.app.output.HpaManifest;
import dev.fallow.app.output.HpaText;
import dev.fallow.app.output.OutputFormat;
import dev.fallow.app.output.Style;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.HpaReckoning;
import dev.fallow.core.autoscale.HpaSuggestion;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Shows what an autoscaler will make of the GPU numbers of now, or proposes one that fits those of
 * the past. Changes nothing.
 */
final class HpaCommand {

  private static final Duration SHORTEST = Duration.ofHours(1);
  private static final Duration LONGEST = Duration.ofDays(24);
  private static final Duration USUAL = Duration.ofHours(24);

  private HpaCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "hpa",
            console,
            "Explains a HorizontalPodAutoscaler on GPU metrics: fallow hpa explain NAME -n NS; or"
                + " proposes one from history: fallow hpa suggest KIND/NAME -n NS.")
        .word("explain|suggest", "What to do.")
        .word("NAME", "The HorizontalPodAutoscaler's name, or KIND/NAME of the workload.")
        .output()
        .cluster()
        .option("-n|--namespace", "NAME", "Its namespace; the kubeconfig's own by default.")
        .option("--history", "DURATION", "How far suggest looks back, 1h to 24d; 24h by default.")
        .settings(Catalogue.rules())
        .settings(Catalogue.sources())
        .build(HpaCommand::run);
  }

  private static int run(Call call) {
    OutputFormat format = call.output();
    return switch (call.words().getFirst()) {
      case "explain" -> explain(call, format);
      case "suggest" -> suggest(call, format);
      default ->
          throw new WrongUse(
              "\""
                  + call.words().getFirst()
                  + "\" is not known; say fallow hpa explain NAME or fallow hpa suggest KIND/NAME");
    };
  }

  private static int explain(Call call, OutputFormat format) {
    String name = call.words().getLast();
    try (LiveCluster cluster = LiveCluster.open(call)) {
      String namespace = cluster.namespace();
      Autoscalers autoscalers = new Autoscalers(cluster.connection());
      Hpa hpa =
          autoscalers
              .find(namespace, name)
              .orElseThrow(() ->
                  new WrongUse(
                      "there is no HorizontalPodAutoscaler "
                          + name
                          + " in the namespace "
                          + namespace
                          + "; -n chooses the namespace"));
      HpaReckoner reckoner =
          new HpaReckoner(
              cluster.sources().samples(),
              cluster.settings().of(Catalogue.EXPORTER_NAMESPACES),
              InstantSource.system());
      List<Hpa> one = List.of(hpa);
      HpaReckoning reckoning =
          reckoner.of(one, cluster.read(), autoscalers.around(namespace, one)).getFirst();
      print(call.console(), format, new HpaText(reckoning));
      return ExitCode.DONE;
    }
  }

  private static int suggest(Call call, OutputFormat format) {
    WorkloadName wanted = WorkloadName.parse(call.words().getLast());
    if (format == OutputFormat.CSV) {
      throw new WrongUse("-o: a manifest is no table; hpa suggest prints yaml or json");
    }
    Duration span = history(call);
    try (LiveCluster cluster = LiveCluster.open(call)) {
      String namespace = cluster.namespace();
      SampleSource source = cluster.sources().samples();
      PastUse past =
          new PastUse(
              (feed, at) -> HpaReckoner.read(source, feed, at),
              cluster.read(),
              cluster.settings().of(Catalogue.EXPORTER_NAMESPACES),
              Instant.now());
      ObjectId workload =
          past.workloads().stream()
              .filter(id -> id.namespace().equals(namespace) && wanted.names(id))
              .findFirst()
              .orElseThrow(() ->
                  new WrongUse(
                      "there is no "
                          + wanted
                          + " with GPU pods in the namespace "
                          + namespace
                          + "; -n chooses the namespace, fallow list shows what there is"));
      List<Hpa> autoscalers = new Autoscalers(cluster.connection()).in(namespace);
      return switch (past.suggest(workload, source.names(Instant.now()), autoscalers, span)) {
        case HpaSuggestion.Outcome.Proposed proposed -> {
          HpaManifest manifest = new HpaManifest(proposed.hpa());
          if (format == OutputFormat.JSON) {
            call.console().out().println(Fields.json(manifest.fields()));
          } else {
            call.console().out().print(manifest.yaml());
          }
          yield ExitCode.DONE;
        }
        case HpaSuggestion.Outcome.Refused refused -> {
          call.console().err().println(Style.visible(refused.why()));
          yield ExitCode.ATTENTION;
        }
      };
    }
  }

  private static Duration history(Call call) {
    return call.option("--history")
        .map(text ->
            Durations.parse(text)
                .filter(span -> span.compareTo(SHORTEST) >= 0 && span.compareTo(LONGEST) <= 0)
                .orElseThrow(() ->
                    new WrongUse(
                        "--history: \"" + text + "\" is not a length of time from 1h to 24d")))
        .orElse(USUAL);
  }

  private static void print(Console console, OutputFormat format, HpaText text) {
    switch (format) {
      case JSON -> console.out().println(Fields.json(text.fields()));
      case YAML -> console.out().print(Fields.yaml(text.fields()));
      case TABLE, WIDE -> text.print(console);
      case CSV -> text.csv().forEach(console.out()::println);
    }
  }
}
