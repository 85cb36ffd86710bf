package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.ApiServerProxy;
import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.OneShotClusterReader;
import dev.fallow.adapters.kubernetes.PrometheusService;
import dev.fallow.adapters.prometheus.BearerToken;
import dev.fallow.adapters.prometheus.PrometheusAccess;
import dev.fallow.adapters.prometheus.PrometheusTransport;
import dev.fallow.adapters.prometheus.PrometheusUsageSource;
import dev.fallow.adapters.prometheus.ReadLimits;
import dev.fallow.app.Inspection;
import dev.fallow.app.Version;
import dev.fallow.app.WrongUse;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Catalogue.TlsMode;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.UsageSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A live cluster and whoever tells of its GPU use, as a call and its settings name them. */
final class LiveCluster implements AutoCloseable {

  private final Call call;
  private final Settings settings;
  private final KubernetesConnection connection;
  private final List<AutoCloseable> open = new ArrayList<>();

  private LiveCluster(Call call, Settings settings, KubernetesConnection connection) {
    this.call = call;
    this.settings = settings;
    this.connection = connection;
    open.add(connection);
  }

  static LiveCluster open(Call call) {
    Settings settings = call.settings();
    return new LiveCluster(
        call,
        settings,
        KubernetesConnection.open(
            new ConnectionOptions(
                call.option("--kubeconfig").map(Path::of),
                call.option("--context"),
                Version.number(),
                call.console().environment())));
  }

  Settings settings() {
    return settings;
  }

  KubernetesConnection connection() {
    return connection;
  }

  /** The namespace a name without one is looked for in. */
  String namespace() {
    return call.option("--namespace").orElseGet(connection::namespace);
  }

  ClusterState read() {
    return new OneShotClusterReader(connection, call.option("--namespace")).read();
  }

  Inspection inspect() {
    return Inspection.of(read(), usage(), call.at(), settings);
  }

  /** The Prometheus that was named, else the one the cluster has. */
  UsageSource usage() {
    String url = settings.of(Catalogue.PROMETHEUS_URL);
    PrometheusUsageSource source =
        url.isEmpty()
            ? new PrometheusUsageSource(proxied(), signals(), ReadLimits.forThisProcess())
            : new PrometheusUsageSource(access(url), signals());
    open.add(source);
    return source;
  }

  private PrometheusTransport proxied() {
    PrometheusService.Search search = PrometheusService.find(connection, Optional.empty());
    search.notes().forEach(call.console()::say);
    PrometheusService service =
        search
            .service()
            .orElseThrow(() ->
                new Unavailable(
                    "prometheus",
                    "no Service in the cluster looks like Prometheus; name its address with"
                        + " --prometheus-url",
                    false));
    return new ProxiedPrometheus(new ApiServerProxy(connection, service), "Prometheus " + service);
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
      throw new WrongUse("--prometheus-url: " + refused.getMessage());
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
