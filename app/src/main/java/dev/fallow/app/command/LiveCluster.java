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

  /** For a single look: what has no history to ask is waited for until it has a window's. */
  UsageSource usage() {
    return usage(true);
  }

  /** For who stays: the first cycles find too few samples and judge nothing. */
  UsageSource growingUsage() {
    return usage(false);
  }

  /** The Prometheus that was named, else the one the cluster has, else its exporters. */
  private UsageSource usage(boolean whole) {
    String url = settings.of(Catalogue.PROMETHEUS_URL);
    boolean byHand = !settings.of(Catalogue.EXPORTERS).isEmpty();
    return switch (settings.of(Catalogue.SOURCE)) {
      case SCRAPE -> scraped(whole);
      case PROMETHEUS ->
          url.isEmpty() ? proxied().orElseThrow(LiveCluster::noPrometheus) : direct(url);
      case AUTO -> {
        if (!url.isEmpty()) {
          yield direct(url);
        }
        Optional<UsageSource> found = byHand ? Optional.empty() : proxied();
        yield found.isPresent() ? found.get() : scrapedOrNothing(byHand, whole);
      }
    };
  }

  /** A source that answers at once, or none: nobody waits for a window just to hear of it. */
  UsageSource promptUsage() {
    String url = settings.of(Catalogue.PROMETHEUS_URL);
    return url.isEmpty() ? proxied().orElseThrow(LiveCluster::noPrometheus) : direct(url);
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
        .orElseGet(() -> closing(LiveScrape.start(connection, settings, SampleSource.WINDOW)));
  }

  private UsageSource direct(String url) {
    return opened(new PrometheusUsageSource(access(url), signals()));
  }

  private Optional<UsageSource> proxied() {
    return proxy()
        .map(transport ->
            opened(new PrometheusUsageSource(transport, signals(), ReadLimits.forThisProcess())));
  }

  private Optional<PrometheusTransport> proxy() {
    PrometheusService.Search search = PrometheusService.find(connection, Optional.empty());
    search.notes().forEach(call.console()::say);
    return search
        .service()
        .map(service ->
            new ProxiedPrometheus(
                new ApiServerProxy(connection, service), "Prometheus " + service));
  }

  private UsageSource scrapedOrNothing(boolean byHand, boolean whole) {
    boolean exporters =
        byHand || !ExporterEndpoints.find(connection, Optional.empty()).endpoints().isEmpty();
    if (!exporters) {
      throw noPrometheus();
    }
    return scraped(whole);
  }

  private UsageSource scraped(boolean whole) {
    settings.of(Catalogue.EXPORTERS).forEach(LiveScrape::target);
    Duration window = Judge.windowNeeded(read(), settings.idleRule());
    ScrapeUsageSource source = LiveScrape.start(connection, settings, window);
    open.add(source);
    if (whole) {
      LiveScrape.awaitWindow(call.console(), settings, window);
    }
    return source;
  }

  private static Unavailable noPrometheus() {
    return new Unavailable(
        "prometheus",
        "no Service in the cluster looks like Prometheus or a GPU exporter; name Prometheus'"
            + " address with --prometheus-url, or exporters with --exporters",
        false);
  }

  private UsageSource opened(PrometheusUsageSource source) {
    open.add(source);
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
