package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.AccessCheck;
import dev.fallow.adapters.kubernetes.ActingRights;
import dev.fallow.adapters.kubernetes.LeaderLease;
import dev.fallow.app.Console;
import dev.fallow.app.ExitCode;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.output.Fields;
import dev.fallow.app.output.OutputFormat;
import dev.fallow.app.output.Style;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.MetricsSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Usage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;

/** Says what is missing before verdicts can be had, each with its cure. Changes nothing. */
final class DoctorCommand {

  /**
   * One thing looked at.
   *
   * @param cure what to do; empty if all is well
   */
  record Finding(String subject, String found, String cure) {

    boolean fine() {
      return cure.isEmpty();
    }

    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("subject", subject);
      fields.put("ok", fine());
      fields.put("found", found);
      if (!fine()) {
        fields.put("cure", cure);
      }
      return fields;
    }
  }

  private DoctorCommand() {}

  static CommandSpec spec(Console console) {
    return new CommandBuilder(
            "doctor",
            console,
            "Says what is missing: Prometheus, GPU series, permissions; each with its cure.")
        .output()
        .live()
        .settings(MetricsSettings.all())
        .build(DoctorCommand::run);
  }

  private static int run(Call call) {
    OutputFormat format = call.output();
    List<Finding> findings = new ArrayList<>();
    try (LiveCluster cluster = LiveCluster.open(call)) {
      findings.addAll(permissions(cluster, call));
      examine(cluster, call, findings);
      findings.addAll(MetricsCheckUp.of(cluster));
    }
    print(call.console(), format, findings);
    return findings.stream().allMatch(Finding::fine) ? ExitCode.DONE : ExitCode.ATTENTION;
  }

  private static void examine(LiveCluster cluster, Call call, List<Finding> findings) {
    ClusterState state;
    try {
      state = cluster.read();
    } catch (Unavailable unavailable) {
      findings.add(
          new Finding(
              "cluster", String.valueOf(unavailable.getMessage()), "mend that, and ask again"));
      return;
    }
    state
        .notes()
        .forEach(note -> findings.add(new Finding("cluster", note, "grant what the note names")));
    findings.add(
        new Finding(
            "GPU pods",
            state.pods().size() + " pods hold or want accelerators",
            state.pods().isEmpty() ? "nothing to do until there are some" : ""));
    metrics(cluster, state, call, findings);
  }

  private static List<Finding> permissions(LiveCluster cluster, Call call) {
    String namespace = call.option("--namespace").orElse("");
    List<AccessCheck.Question> questions = new ArrayList<>();
    questions.add(new AccessCheck.Question("list", "", "pods", namespace));
    questions.add(new AccessCheck.Question("list", "apps", "replicasets", namespace));
    questions.add(new AccessCheck.Question("list", "apps", "deployments", namespace));
    questions.add(new AccessCheck.Question("list", "apps", "statefulsets", namespace));
    questions.add(new AccessCheck.Question("list", "batch", "jobs", namespace));
    if (namespace.isEmpty()) {
      questions.add(new AccessCheck.Question("list", "", "nodes", ""));
      questions.add(new AccessCheck.Question("list", "", "namespaces", ""));
    }
    wayToMetrics(cluster.settings()).ifPresent(questions::add);
    List<Finding> findings = new ArrayList<>();
    for (AccessCheck.Answer answer : new AccessCheck(cluster.connection()).ask(questions)) {
      findings.add(
          new Finding(
              "permission",
              "may " + (answer.allowed() ? "" : "not ") + answer.question(),
              answer.allowed() ? "" : "bind the ClusterRole fallow-viewer to this account"));
    }
    findings.addAll(pausing(cluster, namespace));
    return findings;
  }

  /** What has to be listed to find the source; nothing where it is named. */
  private static Optional<AccessCheck.Question> wayToMetrics(Settings settings) {
    boolean exporters = !settings.of(Catalogue.EXPORTERS).isEmpty();
    boolean prometheus = !settings.of(Catalogue.PROMETHEUS_URL).isEmpty();
    AccessCheck.Question services = new AccessCheck.Question("list", "", "services", "");
    AccessCheck.Question slices =
        new AccessCheck.Question("list", "discovery.k8s.io", "endpointslices", "");
    return switch (settings.of(Catalogue.SOURCE)) {
      case SCRAPE -> exporters ? Optional.empty() : Optional.of(slices);
      case PROMETHEUS -> prometheus ? Optional.empty() : Optional.of(services);
      case AUTO -> prometheus || exporters ? Optional.empty() : Optional.of(services);
    };
  }

  /** For whoever only looks that is as it should be; a pruning account has to hear of it. */
  private static List<Finding> pausing(LiveCluster cluster, String namespace) {
    AccessCheck check = new AccessCheck(cluster.connection());
    List<AccessCheck.Question> patches = new ArrayList<>();
    for (String kind : List.of("deployments", "statefulsets", "replicasets")) {
      patches.add(new AccessCheck.Question("patch", "apps", kind, namespace));
    }
    if (check.ask(patches).stream().noneMatch(AccessCheck.Answer::allowed)) {
      return List.of(new Finding("pruning", "this account may only look", ""));
    }
    List<String> missing =
        new ArrayList<>(
            new ActingRights(
                    cluster.connection(),
                    Optional.of(namespace).filter(named -> !named.isEmpty()),
                    cluster.settings().of(Catalogue.ENABLED_RESOURCES))
                .missing());
    String home = PruneDaemon.leaseNamespace(cluster.settings(), cluster.connection());
    for (AccessCheck.Answer answer : check.ask(LeaderLease.rights(home, PruneDaemon.LEASE))) {
      if (!answer.allowed()) {
        missing.add(
            "this account may not " + answer.question() + ", so there has to be one daemon alone");
      }
    }
    if (missing.isEmpty()) {
      return List.of(new Finding("pruning", "may do all that pausing and resuming takes", ""));
    }
    return missing.stream()
        .map(right ->
            new Finding(
                "pruning", right, "grant that, as the roles of deploy/base do, to this account"))
        .toList();
  }

  private static void metrics(
      LiveCluster cluster, ClusterState state, Call call, List<Finding> findings) {
    UseSources.Source source;
    try {
      source = cluster.sources().prompt();
    } catch (Unavailable unavailable) {
      findings.add(
          new Finding(
              "metrics",
              String.valueOf(unavailable.getMessage()),
              "set --prometheus-url, install Prometheus, or name exporters with --exporters"));
      return;
    }
    Usage usage =
        source.usage().read(call.at(), Judge.windowNeeded(state, cluster.settings().idleRule()));
    switch (usage) {
      case Usage.Missing missing ->
          findings.add(
              new Finding("metrics", missing.failure(), "mend that, and ask the doctor again"));
      case Usage.Partial partial ->
          findings.add(
              new Finding("metrics", partial.warning(), "mend the source that is missing"));
      case Usage.Complete complete -> {
        findings.add(new Finding("metrics", source.name(), ""));
        source
            .problems()
            .forEach(problem ->
                findings.add(
                    new Finding(
                        "metrics", problem, "mend that exporter, or let Fallow through to it")));
        findings.addAll(SeriesCheckUp.of(state, complete.series()));
      }
    }
  }

  private static void print(Console console, OutputFormat format, List<Finding> findings) {
    switch (format) {
      case JSON ->
          console
              .out()
              .println(
                  Fields.json(Map.of("items", findings.stream().map(Finding::fields).toList())));
      case YAML ->
          console
              .out()
              .print(Fields.yaml(Map.of("items", findings.stream().map(Finding::fields).toList())));
      case CSV -> {
        console.out().println(Fields.csv(List.of("subject", "ok", "found", "cure")));
        findings.forEach(one ->
            console
                .out()
                .println(Fields.csv(List.of(one.subject(), one.fine(), one.found(), one.cure()))));
      }
      case TABLE, WIDE -> {
        for (Finding finding : findings) {
          Style style = finding.fine() ? Style.GREEN : Style.YELLOW;
          console
              .out()
              .println(
                  style.on(finding.fine() ? "ok   " : "mend ", console.coloured())
                      + finding.subject()
                      + ": "
                      + Style.visible(finding.found()));
          if (!finding.fine()) {
            console.out().println("     → " + Style.visible(finding.cure()));
          }
        }
      }
    }
  }
}
