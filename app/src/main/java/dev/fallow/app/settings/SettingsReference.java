package dev.fallow.app.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The reference of all settings as Markdown, made of their declarations. */
public final class SettingsReference {

  private static final String HEAD =
      """
      # Settings

      This page is printed by `bin/fallow settings`.

      A setting can be given as a flag, as an environment variable, or by its long name in a YAML file \
      named with `--config FILE` or `FALLOW_CONFIG`. A flag wins over the environment, the environment \
      over the file, the file over the default. In a case folder the settings stand in `case.yaml`, and \
      nothing else is read. What cannot be understood is refused before anything is done; an unknown \
      `FALLOW_…` variable or an unknown name in a file is refused too.

      ```yaml
      duration: 45m
      enabled-resources: drsinj
      prometheus-url: https://prometheus.example.com
      ```

      A length of time is a bare number in the unit its placeholder names, or a duration: `20s`, `90m`, `1h30m`, \
      `2d`, `PT2H`.
      """;

  private static final String NAMESPACE =
      """

      The limits, and what follows after them, are flags of `prune`, `gpu-pruner` and `serve` only. So is `namespace` as a pattern: the \
      flag `-n`, `--namespace` of the other commands names exactly one namespace, as with kubectl.
      """;

  private static final String PROXY =
      """

      `auto` takes the Prometheus that `prometheus-url` names, else the exporters that `exporters` names, else the cluster's own \
      Prometheus, which is asked through the API server, else the exporters that are found in the cluster. The other \
      `prometheus-…` settings have an effect only with `prometheus-url`.

      `scrape` looks at exporters directly. There is no history to ask then, so a command waits for as long as the longest window; \
      a shorter `--duration` makes that shorter. The exporters have to be reachable from where Fallow runs.
      """;

  private static final String METRICS =
      """

      These are flags of `serve` and `doctor`; [autoscaling](autoscaling.md) says what they do.
      """;

  private static final String TAIL =
      """

      ## Read by the launcher

      | variable | what it does |
      |---|---|
      | `FALLOW_JAVA_HOME` | The JDK to run on; looked at before `JAVA_HOME` and the `java` on the `PATH`. |
      | `FALLOW_JAVA_OPTS` | More options for the JVM. `-Xmx` among them replaces the heap that is chosen otherwise: at most 1 GiB, or 96 MiB less than the memory limit of the cgroup if that is less; it grows only as it is needed. |
      | `NO_COLOR` | If it is not empty, nothing is coloured. |
      """;

  private SettingsReference() {}

  public static String markdown() {
    List<Setting<?>> rules = new ArrayList<>(Catalogue.rules());
    List<Setting<?>> sources = Catalogue.sources();
    List<Setting<?>> metrics = MetricsSettings.all();
    Catalogue.all().stream()
        .filter(setting ->
            !rules.contains(setting) && !sources.contains(setting) && !metrics.contains(setting))
        .forEach(rules::add);
    return HEAD
        + section("What is idle, and which workloads count", rules)
        + NAMESPACE
        + section("Where the evidence comes from", sources)
        + PROXY
        + section("What autoscalers are served", metrics)
        + METRICS
        + TAIL;
  }

  private static String section(String title, List<Setting<?>> settings) {
    return "\n## "
        + title
        + "\n\n| flag | environment | default | takes | what it does |\n|---|---|---|---|---|\n"
        + settings.stream().map(SettingsReference::row).collect(Collectors.joining());
  }

  private static String row(Setting<?> setting) {
    String value = setting.isSwitch() ? "`" : " " + setting.placeholder() + "`";
    String letter = setting.letter() == 0 ? "" : "`-" + setting.letter() + "`, ";
    String flag = letter + "`--" + setting.name() + value;
    List<String> variables = new ArrayList<>(List.of(setting.environment()));
    variables.addAll(setting.alsoRead());
    return "| "
        + String.join(
            " | ",
            flag,
            variables.stream().map(name -> "`" + name + "`").collect(Collectors.joining(", ")),
            setting.byDefault().isEmpty() ? "none" : "`" + setting.byDefault() + "`",
            cell(setting.range()),
            cell(setting.sentence()))
        + " |\n";
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replace("*", "\\*");
  }
}
