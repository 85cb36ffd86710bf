package dev.fallow.app.settings;

import dev.fallow.core.prune.PausableKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;

/** Every setting there is. Flags, environment, files, cases and the reference are made of this. */
public final class Catalogue {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration SECOND = Duration.ofSeconds(1);

  // What counts as idle.

  public static final Setting<Duration> DURATION =
      Setting.of(
              "duration",
              "MINUTES",
              "30",
              "minutes, or a duration such as 20s, 90m, 2h; 10 s to 30 days",
              Parsers.length(MINUTE, Duration.ofSeconds(10), Duration.ofDays(30)))
          .letter('t')
          .saying("How long every GPU of a workload has to have been idle.");

  public static final Setting<Duration> GRACE_PERIOD =
      Setting.of(
              "grace-period",
              "SECONDS",
              "300",
              "seconds, or a duration; 0 to 30 days",
              Parsers.length(SECOND, Duration.ZERO, Duration.ofDays(30)))
          .letter('g')
          .saying("How much longer than that a pod has to have run before it is judged.");

  public static final Setting<Double> IDLE_THRESHOLD =
      Setting.of("idle-threshold", "SHARE", "0.01", "a share above 0, up to 1", Parsers.share())
          .saying("The share of a signal's scale from which it is activity.");

  public static final Setting<OptionalDouble> POWER_THRESHOLD =
      Setting.of("power-threshold", "WATTS", "", "watts above 0", Parsers::watts)
          .saying("Watts from which a GPU counts as active; unset, power is not asked.");

  // Which workloads.

  public static final Setting<Set<PausableKind>> ENABLED_RESOURCES =
      Setting.of(
              "enabled-resources",
              "LETTERS",
              PausableKind.DEFAULT_LETTERS,
              "letters: d Deployment, r ReplicaSet, s StatefulSet, i InferenceService, n Notebook,"
                  + " l LeaderWorkerSet, j Job, J JobSet, y RayCluster, p PyTorchJob and kin,"
                  + " o Rollout, * any kind with a scale subresource",
              PausableKind::ofLetters)
          .letter('e')
          .saying("The kinds that may be paused, a letter each.");

  public static final Setting<Optional<Predicate<String>>> NAMESPACE_PATTERN =
      Setting.of("namespace", "PATTERN", "", "a regular expression", Parsers::wholeName)
          .letter('n')
          .saying("Only namespaces whose whole name matches, as =~ does in Prometheus.");

  public static final Setting<Optional<Predicate<String>>> MODEL_NAME =
      Setting.of("model-name", "PATTERN", "", "a regular expression", Parsers::wholeName)
          .letter('m')
          .saying("Only workloads all of whose GPUs are of a model that matches.");

  public static final Setting<Predicate<String>> EXCLUDED_NAMESPACES =
      Setting.of(
              "excluded-namespaces",
              "NAMES",
              "kube-*,openshift-*,bench-guide-*,llm-d-nightly-*,fallow-system",
              "names with commas between them; * stands for anything",
              Parsers::globs)
          .saying("Namespaces in which nothing is ever paused.");

  public static final Setting<Optional<Predicate<String>>> EXPORTER_NAMESPACES =
      Setting.of(
              "exporter-namespaces",
              "NAMES",
              "",
              "names with commas between them; * stands for anything",
              Catalogue::namedPlaces)
          .saying(
              "Where GPU exporters live: only their samples prove idleness. Unset, the usual"
                  + " places.");

  // What keeps a bad day from emptying a cluster.

  public static final Setting<Integer> MAX_PAUSES_PER_CYCLE =
      Setting.of("max-pauses-per-cycle", "NUMBER", "20", "1 to 100000", Parsers.number(1, 100_000))
          .saying("How many workloads one cycle may pause; the greatest waste goes first.");

  public static final Setting<Double> MAX_SHARE_PER_NAMESPACE =
      Setting.of(
              "max-share-per-namespace",
              "SHARE",
              "10%",
              "a percentage or a share, up to 100%",
              Parsers.percentage())
          .saying(
              "Which share of a namespace's GPU workloads an hour may pause; one is always"
                  + " allowed.");

  public static final Setting<Double> MIN_FLEET_COVERAGE =
      Setting.of(
              "min-fleet-coverage",
              "SHARE",
              "80%",
              "a percentage or a share, up to 100%",
              Parsers.percentage())
          .saying("Which share of the GPUs has to have enough samples for anything to be paused.");

  public static final Setting<Double> MAX_IDLE_SHARE =
      Setting.of(
              "max-idle-share",
              "SHARE",
              "50%",
              "a percentage or a share, up to 100%",
              Parsers.percentage())
          .saying(
              "Which share of the workloads that worked a window ago may have gone idle for"
                  + " anything to be paused.");

  // Where the evidence comes from.

  /** How a server's certificate is checked. */
  public enum TlsMode {
    VERIFY,
    SKIP
  }

  /** Which source of samples is asked. */
  public enum Source {
    AUTO,
    PROMETHEUS,
    SCRAPE
  }

  public static final Setting<Source> SOURCE =
      Setting.of(
              "source", "NAME", "auto", "auto, prometheus or scrape", Parsers.oneOf(Source.class))
          .saying("Who tells of GPU use; auto takes Prometheus where there is one.");

  public static final Setting<String> PROMETHEUS_URL =
      Setting.of("prometheus-url", "URL", "", "an http or https address", Parsers::url)
          .saying("Prometheus' address; unset, the cluster's own is looked for.")
          .reading("PROMETHEUS_URL");

  public static final Setting<String> PROMETHEUS_TOKEN =
      Setting.of("prometheus-token", "TOKEN", "", "a bearer token", String::strip)
          .saying("Bearer token for Prometheus; better in the environment or a file.")
          .reading("PROMETHEUS_TOKEN");

  public static final Setting<String> PROMETHEUS_TOKEN_FILE =
      Setting.of("prometheus-token-file", "FILE", "", "a file", String::strip)
          .saying("File with the bearer token, read again whenever it changes.");

  public static final Setting<Boolean> PROMETHEUS_TOKEN_ANYWHERE =
      Setting.flag("prometheus-token-anywhere")
          .saying("Send the token over plain http to any host; otherwise that is refused.");

  public static final Setting<TlsMode> PROMETHEUS_TLS_MODE =
      Setting.of(
              "prometheus-tls-mode",
              "MODE",
              "verify",
              "verify or skip",
              Parsers.oneOf(TlsMode.class))
          .saying("Whether Prometheus' certificate is checked.");

  public static final Setting<String> PROMETHEUS_TLS_CERT =
      Setting.of("prometheus-tls-cert", "FILE", "", "a file of PEM certificates", String::strip)
          .saying("Certificates to trust for Prometheus, besides the system's.");

  public static final Setting<Duration> PROMETHEUS_TIMEOUT =
      Setting.of(
              "prometheus-timeout",
              "SECONDS",
              "60",
              "seconds, or a duration; 1 s to 10 min",
              Parsers.length(SECOND, SECOND, Duration.ofMinutes(10)))
          .saying("How long one query may take.");

  public static final Setting<List<String>> EXPORTERS =
      Setting.of("exporters", "URLS", "", "addresses with commas between them", Parsers::names)
          .saying("Exporters to scrape; unset, they are found in the cluster.");

  public static final Setting<Duration> SCRAPE_INTERVAL =
      Setting.of(
              "scrape-interval",
              "SECONDS",
              "15",
              "seconds, or a duration; 1 s to 5 min",
              Parsers.length(SECOND, SECOND, Duration.ofMinutes(5)))
          .saying("How often exporters are scraped.");

  // How pruning runs.

  /** Whether anything is changed. */
  public enum RunMode {
    DRY_RUN,
    SCALE_DOWN
  }

  public static final Setting<RunMode> RUN_MODE =
      Setting.of(
              "run-mode", "MODE", "dry-run", "dry-run or scale-down", Parsers.oneOf(RunMode.class))
          .letter('r')
          .saying("Whether idle workloads are paused, or only shown.");

  public static final Setting<Boolean> DAEMON_MODE =
      Setting.flag("daemon-mode").letter('d').saying("Run for ever, a cycle at a time.");

  public static final Setting<Duration> CHECK_INTERVAL =
      Setting.of(
              "check-interval",
              "SECONDS",
              "180",
              "seconds, or a duration; 1 s to 1 day",
              Parsers.length(SECOND, SECOND, Duration.ofDays(1)))
          .letter('c')
          .saying("How long from one cycle to the next.");

  public static final Setting<LogFormat> LOG_FORMAT =
      Setting.of(
              "log-format",
              "FORMAT",
              "default",
              "default, json or pretty",
              Parsers.oneOf(LogFormat.class))
          .letter('l')
          .saying("How log lines look.");

  public static final Setting<Integer> DASHBOARD_PORT =
      Setting.of(
              "dashboard-port",
              "PORT",
              "8080",
              "0 to 65535; 0 takes a free one",
              Parsers.number(0, 65_535))
          .saying("Where the daemon serves /metrics, /healthz, /readyz and its API.");

  public static final Setting<String> METRICS_ADDR =
      Setting.of("metrics-addr", "ADDRESS", "", "host:port", Parsers::address)
          .saying("The same as an address; it goes before --dashboard-port.");

  /** How the dashboard finds out who somebody is. */
  public enum Auth {
    AUTO,
    TOKEN,
    PROXY,
    EMAIL,
    NONE
  }

  public static final Setting<Auth> DASHBOARD_AUTH =
      Setting.of(
              "dashboard-auth",
              "WAY",
              "auto",
              "auto, token, proxy, email or none",
              Parsers.oneOf(Auth.class))
          .saying(
              "How people sign in: a token of the cluster, a proxy that has signed them in, any"
                  + " e-mail address unverified, or not at all, which takes a loopback address."
                  + " auto is none on loopback and token elsewhere.");

  public static final Setting<String> DASHBOARD_PROXY_SECRET_FILE =
      Setting.of("dashboard-proxy-secret-file", "FILE", "", "a file", String::strip)
          .saying("The secret by which the proxy of --dashboard-auth=proxy is known.");

  public static final Setting<String> CLUSTER_NAME =
      Setting.of("cluster-name", "NAME", "", "any text", String::strip)
          .saying("What the dashboard, notices and reports call this cluster.");

  public static final Setting<String> LEDGER =
      Setting.of("ledger", "PLACE", "", "a file, postgresql://… or none", String::strip)
          .saying(
              "Where history is kept; unset, a file in the state folder of this user. A password"
                  + " belongs into FALLOW_LEDGER.");

  public static final Setting<Duration> LEDGER_RETENTION =
      Setting.of(
              "ledger-retention",
              "DAYS",
              "400",
              "days, or a duration; 8 days to 100 years",
              Parsers.length(Duration.ofDays(1), Duration.ofDays(8), Duration.ofDays(36_500)))
          .saying("How long the ledger remembers actions and GPU time.");

  public static final Setting<Duration> LONGEST_KEEP =
      Setting.of(
              "longest-keep",
              "HOURS",
              "168",
              "hours, or a duration; 1 min to 366 days",
              Parsers.length(Duration.ofHours(1), MINUTE, Duration.ofDays(366)))
          .saying(
              "How long a workload may be kept by a button, the API or the command; who writes on"
                  + " the object itself is not bound by it.");

  public static final Setting<String> LEASE_NAMESPACE =
      Setting.of("lease-namespace", "NAME", "", "a namespace", String::strip)
          .saying(
              "Where the lease of the leading daemon lies; unset, the account's own namespace.");

  // Taken from gpu-pruner's command line, and not needed or not wired yet.

  public static final Setting<Boolean> HONOR_LABELS =
      Setting.flag("honor-labels")
          .saying("Taken for gpu-pruner's sake: the form of labels is found out anyway.");

  private static final String NO_EFFECT_YET = " Taken, and without effect yet.";

  private static final List<Setting<?>> NOT_YET_WIRED =
      List.of(
          notYet(
                  "cluster",
                  "NAME=URL",
                  "A further cluster for the dashboard; may be given several times.")
              .repeatable(),
          notYet("honor-labels-clusters", "NAMES", "Clusters that honour labels.").repeatable());

  private static Setting<String> notYet(String name, String placeholder, String sentence) {
    return Setting.of(name, placeholder, "", "any text", String::strip)
        .saying(sentence + NO_EFFECT_YET);
  }

  private Catalogue() {}

  /** What decides a verdict or an action, in the order of the reference. */
  public static List<Setting<?>> rules() {
    return List.of(
        DURATION,
        GRACE_PERIOD,
        IDLE_THRESHOLD,
        POWER_THRESHOLD,
        ENABLED_RESOURCES,
        MODEL_NAME,
        EXCLUDED_NAMESPACES,
        EXPORTER_NAMESPACES);
  }

  /** What bounds a cycle, in the order of the reference. */
  public static List<Setting<?>> limits() {
    return List.of(
        MAX_PAUSES_PER_CYCLE, MAX_SHARE_PER_NAMESPACE, MIN_FLEET_COVERAGE, MAX_IDLE_SHARE);
  }

  /** Where the evidence comes from. */
  public static List<Setting<?>> sources() {
    return List.of(
        SOURCE,
        PROMETHEUS_URL,
        PROMETHEUS_TOKEN,
        PROMETHEUS_TOKEN_FILE,
        PROMETHEUS_TOKEN_ANYWHERE,
        PROMETHEUS_TLS_MODE,
        PROMETHEUS_TLS_CERT,
        PROMETHEUS_TIMEOUT,
        EXPORTERS,
        SCRAPE_INTERVAL);
  }

  /** How pruning runs. */
  public static List<Setting<?>> pruning() {
    return List.of(
        RUN_MODE,
        DAEMON_MODE,
        CHECK_INTERVAL,
        LOG_FORMAT,
        DASHBOARD_PORT,
        METRICS_ADDR,
        DASHBOARD_AUTH,
        DASHBOARD_PROXY_SECRET_FILE,
        CLUSTER_NAME,
        LEDGER,
        LEDGER_RETENTION,
        LONGEST_KEEP,
        LEASE_NAMESPACE,
        HONOR_LABELS);
  }

  /** What is taken from others' command lines and has no effect yet. */
  public static List<Setting<?>> notYetWired() {
    return NOT_YET_WIRED;
  }

  /** All of them. */
  public static List<Setting<?>> all() {
    List<Setting<?>> all = new ArrayList<>(rules());
    all.add(NAMESPACE_PATTERN);
    all.addAll(limits());
    all.addAll(sources());
    all.addAll(pruning());
    all.addAll(SignInSettings.all());
    all.addAll(NoticeSettings.all());
    all.addAll(ReportSettings.all());
    all.addAll(MetricsSettings.all());
    all.addAll(notYetWired());
    return all;
  }

  private static Optional<Predicate<String>> namedPlaces(String text) {
    return Parsers.names(text).isEmpty() ? Optional.empty() : Optional.of(Parsers.globs(text));
  }
}
