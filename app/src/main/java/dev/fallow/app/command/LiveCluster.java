package dev.fallow.app.command;

import dev.fallow.adapters.kubernetes.ConnectionOptions;
import dev.fallow.adapters.kubernetes.FollowedKinds;
import dev.fallow.adapters.kubernetes.KubernetesConnection;
import dev.fallow.adapters.kubernetes.NamedObject;
import dev.fallow.adapters.kubernetes.OneShotClusterReader;
import dev.fallow.adapters.kubernetes.Reviews;
import dev.fallow.adapters.kubernetes.UnknownContext;
import dev.fallow.app.Console;
import dev.fallow.app.Gathering;
import dev.fallow.app.Inspection;
import dev.fallow.app.Version;
import dev.fallow.app.WrongUse;
import dev.fallow.app.autoscale.LiveMetricBook;
import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.log.Log;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.UsageSource;
import dev.fallow.core.prune.PruneMemory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A live cluster, as a call and its settings name it. */
final class LiveCluster implements AutoCloseable {

  private final Call call;
  private final Settings settings;
  private final KubernetesConnection connection;
  private final Optional<String> scope;
  private final UseSources sources;

  private @Nullable LiveMetricBook numbers;

  /** Requests open what they need as well, each on a thread of its own. */
  private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();

  private LiveCluster(
      Call call, Settings settings, KubernetesConnection connection, Optional<String> scope) {
    this.call = call;
    this.settings = settings;
    this.connection = connection;
    this.scope = scope;
    this.sources = new UseSources(this);
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
    Log.quiet();
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

  /** The numbers for autoscalers and of the fleet's use: read once, whoever serves them. */
  synchronized LiveMetricBook numbers() {
    if (numbers == null) {
      numbers = Autoscaling.open(this);
    }
    return numbers;
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

  /** What there is in {@link #namespace} alone, for who may read no other. */
  ClusterState readOne() {
    return new OneShotClusterReader(connection, Optional.of(namespace()), FollowedKinds.NONE)
        .read();
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
    UsageSource usage = sources.usage();
    call.console().progress("reading pods, their owners and their GPUs' samples");
    try {
      Instant at = call.at();
      return Inspection.of(
          new Gathering(this::read, usage, settings.idleRule()).upTo(at),
          at,
          settings,
          settings.prunePolicy(),
          PruneMemory.NOTHING);
    } finally {
      call.console().progressDone();
    }
  }

  /** Whoever tells of its GPUs' use. */
  UseSources sources() {
    return sources;
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
