package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.ApiServerProxy;
import dev.fallow.adapters.kubernetes.ExporterEndpoints;
import dev.fallow.adapters.kubernetes.PrometheusService;
import dev.fallow.adapters.prometheus.BearerToken;
import dev.fallow.adapters.prometheus.PrometheusAccess;
import dev.fallow.adapters.prometheus.PrometheusSampleSource;
import dev.fallow.adapters.prometheus.PrometheusTransport;
import dev.fallow.adapters.prometheus.PrometheusUsageSource;
import dev.fallow.adapters.prometheus.ReadLimits;
import dev.fallow.adapters.scrape.ScrapeLimits;
import dev.fallow.adapters.scrape.ScrapeRound;
import dev.fallow.adapters.scrape.ScrapeUsageSource;
import dev.fallow.app.WrongUse;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Catalogue.TlsMode;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.SampleSource;
import dev.fallow.core.idle.Durations;
import dev.fallow.core.idle.Judge;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Whoever tells of the use of a cluster's GPUs: Prometheus, named or found, or its exporters. */
final class UseSources {

  private final LiveCluster cluster;
  private final Settings settings;

  /** The exporters, once they are looked at. */
  private volatile Optional<Looking> looking = Optional.empty();

  private volatile boolean judging;

  /**
   * @param window for which samples are remembered
   */
  private record Looking(ScrapeUsageSource source, Duration window) {}

  UseSources(LiveCluster cluster) {
    this.cluster = cluster;
    this.settings = cluster.settings();
  }

  /**
   * Who tells of GPU use.
   *
   * @param name for people
   * @param problems what went wrong on the way to it, if it answers nevertheless
   */
  record Source(String name, UsageSource usage, List<String> problems) {}

  /** Says that verdicts will be asked for, too: exporters are looked at once for both. */
  void forVerdicts() {
    judging = true;
  }

  /** For a single look: what has no history to ask is waited for until it has a window's. */
  UsageSource usage() {
    return source(Patience.A_WINDOW).usage();
  }

  /** For who stays: the first cycles find too few samples and judge nothing. */
  UsageSource growing() {
    return source(Patience.NONE).usage();
  }

  /** For who wants to see the source itself: exporters are looked at once. */
  Source prompt() {
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
          url.isEmpty() ? proxied().orElseThrow(UseSources::noPrometheus) : direct(url);
      case AUTO -> {
        if (!url.isEmpty()) {
          yield direct(url);
        }
        Optional<Source> found = byHand ? Optional.empty() : proxied();
        yield found.isPresent() ? found.get() : scrapedOrNothing(byHand, patience);
      }
    };
  }

  /** The samples of the last minutes, from where {@link #growing} has its own. */
  SampleSource samples() {
    String url = settings.of(Catalogue.PROMETHEUS_URL);
    boolean byHand = !settings.of(Catalogue.EXPORTERS).isEmpty();
    boolean mayBeFound = settings.of(Catalogue.SOURCE) == Catalogue.Source.PROMETHEUS || !byHand;
    if (settings.of(Catalogue.SOURCE) != Catalogue.Source.SCRAPE) {
      if (!url.isEmpty()) {
        return cluster.closing(new PrometheusSampleSource(access(url)));
      }
      Optional<PrometheusTransport> found = mayBeFound ? proxy() : Optional.empty();
      if (found.isPresent()) {
        return cluster.closing(
            new PrometheusSampleSource(found.get(), ReadLimits.forThisProcess()));
      }
      if (settings.of(Catalogue.SOURCE) == Catalogue.Source.PROMETHEUS) {
        throw noPrometheus();
      }
    }
    settings.of(Catalogue.EXPORTERS).forEach(LiveScrape::target);
    // Exporters that are looked at already are not looked at twice.
    if (looking.isPresent()) {
      return looking.get().source();
    }
    Duration needed = judging ? windowNeeded() : Duration.ZERO;
    ScrapeUsageSource source =
        scrape(needed.compareTo(SampleSource.WINDOW) > 0 ? needed : SampleSource.WINDOW);
    source.start();
    return source;
  }

  private Source direct(String url) {
    PrometheusAccess access = access(url);
    return new Source(
        access.address(), cluster.closing(new PrometheusUsageSource(access, signals())), List.of());
  }

  private Optional<Source> proxied() {
    return proxy()
        .map(transport ->
            new Source(
                transport.address(),
                cluster.closing(
                    new PrometheusUsageSource(transport, signals(), ReadLimits.forThisProcess())),
                List.of()));
  }

  private Optional<PrometheusTransport> proxy() {
    PrometheusService.Search search =
        PrometheusService.find(cluster.connection(), Optional.empty());
    search.notes().forEach(cluster.console()::say);
    return search
        .service()
        .map(service ->
            new ProxiedPrometheus(
                new ApiServerProxy(cluster.connection(), service), service.toString()));
  }

  private Source scrapedOrNothing(boolean byHand, Patience patience) {
    boolean exporters =
        byHand
            || !ExporterEndpoints.find(cluster.connection(), Optional.empty())
                .endpoints()
                .isEmpty();
    if (!exporters) {
      throw noPrometheus();
    }
    return scraped(patience);
  }

  private Source scraped(Patience patience) {
    settings.of(Catalogue.EXPORTERS).forEach(LiveScrape::target);
    Duration window = windowNeeded();
    ScrapeUsageSource source =
        looking
            .filter(one -> one.window().compareTo(window) >= 0)
            .map(Looking::source)
            .orElseGet(() -> scrape(window));
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
      LiveScrape.awaitWindow(cluster.console(), settings, settings.idleRule().window());
    }
    return new Source("exporters", source, List.of());
  }

  /** As far as it can be remembered: who asks for more stays unknown, and nobody else with it. */
  private Duration windowNeeded() {
    Duration needed = Judge.windowNeeded(cluster.read(), settings.idleRule());
    Duration longest = ScrapeLimits.DEFAULT.longestWindow();
    if (settings.idleRule().window().compareTo(longest) > 0) {
      throw new WrongUse(
          "--duration: exporters are remembered for no more than "
              + Durations.format(longest)
              + "; give --prometheus-url or a shorter one");
    }
    return needed.compareTo(longest) < 0 ? needed : longest;
  }

  private static Unavailable noPrometheus() {
    return new Unavailable(
        "prometheus",
        "no Service in the cluster looks like Prometheus or a GPU exporter; name Prometheus'"
            + " address with --prometheus-url, or exporters with --exporters",
        false);
  }

  private ScrapeUsageSource scrape(Duration window) {
    ScrapeUsageSource source =
        cluster.closing(LiveScrape.open(cluster.connection(), settings, window));
    looking = Optional.of(new Looking(source, window));
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
    return fit ? BearerToken.supplied(cluster.connection()::bearerToken) : BearerToken.none();
  }
}
