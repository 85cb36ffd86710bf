package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.ObjectTree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A Service of the cluster behind which there is something that speaks Prometheus' API.
 *
 * @param scheme http or https
 * @param port number or name
 * @param prefix what goes before {@code /api/v1}; mostly nothing
 */
public record PrometheusService(
    String namespace, String name, String scheme, String port, String prefix) {

  private static final int PAGE = 2_500;

  private static final Projection OF_SERVICES =
      Projection.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.labels",
          "spec.type",
          "spec.ports.name",
          "spec.ports.port",
          "spec.ports.appProtocol");

  /** How Services are known, the surest sign first. */
  private static final List<Predicate<ObjectTree>> SIGNS =
      List.of(
          labelled("app.kubernetes.io/name", "prometheus"),
          labelled("app.kubernetes.io/name", "thanos-query-frontend"),
          labelled("app.kubernetes.io/name", "thanos-query"),
          labelled("app.kubernetes.io/name", "victoria-metrics-single"),
          labelled("app.kubernetes.io/name", "vmsingle"),
          labelled("app.kubernetes.io/name", "vmselect"),
          labelled("app", "kube-prometheus-stack-prometheus"),
          labelled("operated-prometheus", "true"),
          named("prometheus-operated"),
          named("prometheus-k8s"),
          named("kube-prometheus-stack-prometheus"),
          named("prometheus-server"),
          named("prometheus"),
          named("thanos-querier"),
          service -> service.textOr("", "metadata", "name").startsWith("vmsingle"),
          service -> service.textOr("", "metadata", "name").startsWith("vmselect"));

  private static final List<String> PORT_NAMES =
      List.of("web", "http-web", "http", "http-query", "query", "https", "9090");
  private static final Set<Long> PORTS = Set.of(9090L, 80L, 8428L, 8481L, 10902L, 9091L, 443L);

  /**
   * What a search found.
   *
   * @param notes what else there is, or why nothing could be looked for
   */
  public record Search(Optional<PrometheusService> service, List<String> notes) {

    public Search {
      notes = List.copyOf(notes);
    }
  }

  private record Candidate(int rank, PrometheusService service) {}

  /** Looks through the Services of a namespace, or of all. */
  public static Search find(KubernetesConnection connection, Optional<String> namespace) {
    List<Candidate> candidates = new ArrayList<>();
    try {
      new ObjectLister(connection.api())
          .list(
              new ObjectLister.Query(
                  ResourceKind.SERVICES, namespace.orElse(""), OF_SERVICES, PAGE, false),
              () -> {
                candidates.clear();
                return service -> candidate(service).ifPresent(candidates::add);
              });
    } catch (ApiRefusal refusal) {
      if (!refusal.forbidden()) {
        throw refusal.unavailable();
      }
      return new Search(
          Optional.empty(),
          List.of("Prometheus was not looked for in the cluster: " + refusal.getMessage()));
    }
    candidates.sort(
        Comparator.comparingInt(Candidate::rank)
            .thenComparing(candidate -> candidate.service().namespace())
            .thenComparing(candidate -> candidate.service().name()));
    List<String> others =
        candidates.stream().skip(1).map(candidate -> candidate.service().toString()).toList();
    return new Search(
        candidates.stream().findFirst().map(Candidate::service),
        others.isEmpty()
            ? List.of()
            : List.of(
                "Prometheus is taken to be "
                    + candidates.getFirst().service()
                    + "; there are also "
                    + String.join(", ", others)));
  }

  /** The path under which the API server passes a question on to it. */
  String proxyPath(String path) {
    return ResourceKind.SERVICES.path(namespace)
        + "/"
        + scheme
        + ":"
        + ResourceKind.encoded(name)
        + ":"
        + ResourceKind.encoded(port)
        + "/proxy"
        + prefix
        + (path.startsWith("/") ? path : "/" + path);
  }

  /** {@code monitoring/prometheus-k8s:9090}. */
  @Override
  public String toString() {
    return namespace + "/" + name + ":" + port;
  }

  private static Optional<Candidate> candidate(ObjectTree service) {
    if (service.textOr("", "spec", "type").equals("ExternalName")) {
      return Optional.empty();
    }
    return IntStream.range(0, SIGNS.size())
        .filter(rank -> SIGNS.get(rank).test(service))
        .boxed()
        .findFirst()
        .flatMap(rank -> portOf(service).map(port -> new Candidate(rank, of(service, port))));
  }

  private static PrometheusService of(ObjectTree service, ObjectTree port) {
    String name = service.textOr("", "metadata", "name");
    boolean select =
        name.startsWith("vmselect")
            || service.texts("metadata", "labels").containsValue("vmselect");
    return new PrometheusService(
        service.textOr("", "metadata", "namespace"),
        name,
        isSecure(service, port) ? "https" : "http",
        port.textOr("", "port"),
        select ? "/select/0/prometheus" : "");
  }

  private static boolean isSecure(ObjectTree service, ObjectTree port) {
    return port.textOr("", "name").equals("https")
        || port.textOr("", "appProtocol").equals("https")
        || port.number("port").orElse(0) == 443
        || service.textOr("", "metadata", "namespace").equals("openshift-monitoring");
  }

  private static Optional<ObjectTree> portOf(ObjectTree service) {
    List<ObjectTree> ports = service.list("spec", "ports");
    for (String name : PORT_NAMES) {
      Optional<ObjectTree> port =
          ports.stream().filter(one -> one.textOr("", "name").equals(name)).findFirst();
      if (port.isPresent()) {
        return port;
      }
    }
    return ports.stream().filter(port -> PORTS.contains(port.number("port").orElse(0))).findFirst();
  }

  private static Predicate<ObjectTree> labelled(String key, String value) {
    return service -> {
      Map<String, String> labels = service.texts("metadata", "labels");
      return value.equals(labels.get(key));
    };
  }

  private static Predicate<ObjectTree> named(String name) {
    return service -> service.textOr("", "metadata", "name").equals(name);
  }
}
