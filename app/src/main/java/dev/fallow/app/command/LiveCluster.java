package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.ApiServerProxy;
import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.ExporterEndpoints;
import dev.fallow.adapters.kubernetes.FollowedKinds;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.NamedObject;
import dev.fallow.adapters.kubernetes.OneShotClusterReader;
import dev.fallow.adapters.kubernetes.PrometheusService;
import dev.fallow.adapters.kubernetes.Reviews;
import dev.fallow.adapters.kubernetes.UnknownContext;
import dev.fallow.adapters.prometheus.BearerToken;
import dev.fallow.adapters.prometheus.PrometheusAccess;
import dev.fallow.adapters.prometheus.PrometheusSampleSource;
import dev.fallow.adapters.prometheus.PrometheusTransport;
import dev.fallow.adapters.prometheus.PrometheusUsageSource;
import dev.fallow.adapters.prometheus.ReadLimits;
import dev.fallow.adapters.scrape.ScrapeRound;
import dev.fallow.adapters.scrape.ScrapeUsageSource;
import dev.fallow.app.Console;
import dev.fallow.app.Gathering;
import dev.fallow.app.Inspection;
import dev.fallow.app.Version;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Catalogue.TlsMode;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSource;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** A live cluster and whoever tells of its GPU use, as a call and its settings name them. */
final class LiveCluster implements AutoCloseable {

  private final Call call;
  private final Settings settings;
  private final KubernetesConnection connection;
  private final Optional<String> scope;

  /** Requests open what they need as well, each on a thread of its own. */
  private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

  private LiveCluster(
      Call call, Settings settings, KubernetesConnection connection, Optional<String> scope) {
    this.call = call;
    this.settings = settings;
    this.connection = connection;
    this.scope = scope;
    open.add(connection);
  }

  static LiveCluster open(Call call) {
    return open(call, call.option("--namespace"));
  }

  /**
   * @param scope the one namespace to read; without it, all
   */
  static LiveCluster open(Call call, Optional<String> scope) {
    Settings settings = call.settings();
    try {
      return new LiveCluster(call, settings, KubernetesConnection.open(options(call)), scope);
    } catch (UnknownContext unknown) {
      throw new WrongUse("--context: " + unknown.getMessage());
    }
  }

  /** A second way to the same server, for changes: it sends each of them once. */
  KubernetesConnection forChanges() {
    KubernetesConnection changes = KubernetesConnection.openForChanges(options(call));
    open.add(changes);
    return changes;
  }

  private static ConnectionOptions options(Call call) {
    return new ConnectionOptions(
        call.option("--kubeconfig").map(Path::of),
        call.option("--context"),
        Version.number(),
        call.console().environment());
  }

  Console console() {
    return call.console();
  }

  Optional<String> scope() {
    return scope;
  }

  <T extends AutoCloseable> T closing(T one) {
    open.add(one);
    return one;
  }

  Settings settings() {
    return settings;
  }

  KubernetesConnection connection() {
    return connection;
  }

  /** The namespace a name without one is looked for in. */
  String namespace() {
    return scope.orElseGet(connection::namespace);
  }

  /** One object by the name that somebody has typed. */
  ObjectId named(WorkloadName name) {
    String namespace = namespace();
    return new NamedObject(connection)
        .find(name.kind(), name.group(), namespace, name.name())
        .orElseThrow(() ->
            new WrongUse(
                "there is no "
                    + name
                    + " in the namespace "
                    + namespace
                    + "; -n chooses the namespace"));
  }

  /** Who calls, as the API server knows them. */
  String caller() {
    return new Reviews(connection)
        .self()
        .map(Reviews.Identity::name)
        .orElseGet(() -> System.getProperty("user.name", "somebody"));
  }

  ClusterState read() {
    // An hour's budget counts what is paused already; nothing else asks for it.
    boolean budget = settings.isWritten(Catalogue.MAX_SHARE_PER_NAMESPACE);
    FollowedKinds followed =
        budget ? FollowedKinds.of(settings.of(Catalogue.ENABLED_RESOURCES)) : FollowedKinds.NONE;
    return new OneShotClusterReader(connection, scope, followed).read();
  }

  /** Metrics first: a source that has to gather its window takes that long. */
  Inspection inspect() {
    UsageSource usage = usage();
    call.console().progress("reading pods, their owners and their GPUs' samples");
    try {
      Instant at = call.at();
      return Inspection.of(
          new Gathering(this::read, usage, settings.idleRule()).upTo(at),
          at,
          settings,
          settings.prunePolicy(),
          List.of());
    } finally {
      call.console().progressDone();
    }
  }

  /**
   * Who tells of GPU use.
   *
   * @param name for people
   * @param problems what went wrong on the way to it, if it answers nevertheless
   */
  record Source(String name, UsageSource usage, List<String> problems) {}

  /** For a single look: what has no history to ask is waited for until it has a window's. */
  UsageSource usage() {
    return source(Patience.A_WINDOW).usage();
  }

  /** For who stays: the first cycles find too few samples and judge nothing. */
  UsageSource growingUsage() {
    return source(Patience.NONE).usage();
  }

  /** For who wants to see the source itself: exporters are looked at once. */
  Source promptUsage() {
    return source(Patience.ONE_LOOK);
  }

  /** How long exporters are looked at before they are asked. */
  private enum Patience {
    NONE,
    ONE_LOOK,
    A_WINDOW
  }

  /** The Prometheus that was named, else the one the cluster has, else its exporters. */
  private Source source(Patience patience) {
    String url = settings.of(Catalogue.PROMETHEUS_URL);
    boolean byHand = !settings.of(Catalogue.EXPORTERS).isEmpty();
    return switch (settings.of(Catalogue.SOURCE)) {
      case SCRAPE -> scraped(patience);
      case PROMETHEUS ->
          url.isEmpty() ? proxied().orElseThrow(LiveCluster::noPrometheus) : direct(url);
      case AUTO -> {
        if (!url.isEmpty()) {
          yield direct(url);
        }
        Optional<Source> found = byHand ? Optional.empty() : proxied();
        yield found.isPresent() ? found.get() : scrapedOrNothing(byHand, patience);
      }
    };
  }

  /** The samples of the last minutes, from where {@link #growingUsage} has its own. */
  SampleSource samples() {
    String url = settings.of(Catalogue.PROMETHEUS_URL);
    boolean byHand = !settings.of(Catalogue.EXPORTERS).isEmpty();
    boolean mayBeFound = settings.of(Catalogue.SOURCE) == Catalogue.Source.PROMETHEUS || !byHand;
    if (settings.of(Catalogue.SOURCE) != Catalogue.Source.SCRAPE) {
      if (!url.isEmpty()) {
        return closing(new PrometheusSampleSource(access(url)));
      }
      Optional<PrometheusTransport> found = mayBeFound ? proxy() : Optional.empty();
      if (found.isPresent()) {
        return closing(new PrometheusSampleSource(found.get(), ReadLimits.forThisProcess()));
      }
      if (settings.of(Catalogue.SOURCE) == Catalogue.Source.PROMETHEUS) {
        throw noPrometheus();
      }
    }
    settings.of(Catalogue.EXPORTERS).forEach(LiveScrape::target);
    // Exporters that are looked at for verdicts already are not looked at twice.
    return open.stream()
        .filter(ScrapeUsageSource.class::isInstance)
        .map(ScrapeUsageSource.class::cast)
        .findFirst()
        .orElseGet(
            () -> closing(started(LiveScrape.open(connection, settings, SampleSource.WINDOW))));
  }

  private Source direct(String url) {
    PrometheusAccess access = access(url);
    return new Source(
        access.address(), closing(new PrometheusUsageSource(access, signals())), List.of());
  }

  private Optional<Source> proxied() {
    return proxy()
        .map(transport ->
            new Source(
                transport.address(),
                closing(
                    new PrometheusUsageSource(transport, signals(), ReadLimits.forThisProcess())),
                List.of()));
  }

  private Optional<PrometheusTransport> proxy() {
    PrometheusService.Search search = PrometheusService.find(connection, Optional.empty());
    search.notes().forEach(call.console()::say);
    return search
        .service()
        .map(service ->
            new ProxiedPrometheus(new ApiServerProxy(connection, service), service.toString()));
  }

  private Source scrapedOrNothing(boolean byHand, Patience patience) {
    boolean exporters =
        byHand || !ExporterEndpoints.find(connection, Optional.empty()).endpoints().isEmpty();
    if (!exporters) {
      throw noPrometheus();
    }
    return scraped(patience);
  }

  private Source scraped(Patience patience) {
    settings.of(Catalogue.EXPORTERS).forEach(LiveScrape::target);
    Duration window = Judge.windowNeeded(read(), settings.idleRule());
    ScrapeUsageSource source = closing(LiveScrape.open(connection, settings, window));
    if (patience == Patience.ONE_LOOK) {
      ScrapeRound round = source.scrapeOnce();
      String name =
          round.answered()
              + " of "
              + round.targets()
              + " exporters answer, looked at without Prometheus";
      return new Source(name, source, round.problems());
    }
    source.start();
    if (patience == Patience.A_WINDOW) {
      LiveScrape.awaitWindow(call.console(), settings, window);
    }
    return new Source("exporters", source, List.of());
  }

  private static Unavailable noPrometheus() {
    return new Unavailable(
        "prometheus",
        "no Service in the cluster looks like Prometheus or a GPU exporter; name Prometheus'"
            + " address with --prometheus-url, or exporters with --exporters",
        false);
  }

  private static ScrapeUsageSource started(ScrapeUsageSource source) {
    source.start();
    return source;
  }

  private Set<Signal> signals() {
    return PrometheusUsageSource.signalsOfUse(settings.of(Catalogue.POWER_THRESHOLD).isPresent());
  }

  private PrometheusAccess access(String url) {
    try {
      PrometheusAccess bare =
          PrometheusAccess.of(url)
              .withTimeouts(Duration.ofSeconds(5), settings.of(Catalogue.PROMETHEUS_TIMEOUT))
              .sendingTokenAnywhere(settings.of(Catalogue.PROMETHEUS_TOKEN_ANYWHERE))
              .withTls(
                  settings.of(Catalogue.PROMETHEUS_TLS_MODE) == TlsMode.SKIP
                      ? PrometheusAccess.Tls.SKIP
                      : PrometheusAccess.Tls.VERIFY,
                  Optional.of(settings.of(Catalogue.PROMETHEUS_TLS_CERT))
                      .filter(file -> !file.isEmpty())
                      .map(Path::of));
      return bare.withToken(token(bare));
    } catch (IllegalArgumentException refused) {
      throw new WrongUse("--prometheus-url or its token: " + refused.getMessage());
    }
  }

  /** A token that was named has to be sent; the kubeconfig's own only where it stays secret. */
  private BearerToken token(PrometheusAccess access) {
    String named = settings.of(Catalogue.PROMETHEUS_TOKEN);
    if (!named.isEmpty()) {
      return BearerToken.fixed(named);
    }
    String file = settings.of(Catalogue.PROMETHEUS_TOKEN_FILE);
    if (!file.isEmpty()) {
      return BearerToken.file(Path.of(file));
    }
    boolean fit = access.keepsSecrets() && access.base().getRawUserInfo() == null;
    return fit ? BearerToken.supplied(connection::bearerToken) : BearerToken.none();
  }

  @Override
  public void close() {
    for (AutoCloseable one : open.reversed()) {
      try {
        one.close();
      } catch (Exception ending) {
        // The process is about to end, or the next call opens anew.
      }
    }
  }
}
