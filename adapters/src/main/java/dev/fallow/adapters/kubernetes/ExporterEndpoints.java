package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.ObjectTree;
import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the GPU exporters of a cluster by the EndpointSlices of their Services, with one list.
 * Whoever may write EndpointSlices in some namespace can point one anywhere: an endpoint counts
 * only with a pod of the slice's own namespace, so that nobody speaks in another's name.
 */
public final class ExporterEndpoints {

  private static final int PAGE = 2_500;
  private static final ResourceKind SLICES =
      new ResourceKind("discovery.k8s.io/v1", "EndpointSlice", "endpointslices", true);
  private static final String SERVICE = "kubernetes.io/service-name";
  private static final Set<String> TELLING_LABELS =
      Set.of(SERVICE, "app", "app.kubernetes.io/name", "app.kubernetes.io/component", "k8s-app");
  private static final List<String> EXPORTERS =
      List.of("dcgm-exporter", "device-metrics-exporter", "amdgpu-metrics-exporter");
  private static final Set<Long> PORTS = Set.of(9400L, 5000L);

  private static final Projection OF_SLICES =
      Projection.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.labels",
          "addressType",
          "ports",
          "endpoints.addresses",
          "endpoints.conditions",
          "endpoints.targetRef",
          "endpoints.nodeName");

  private ExporterEndpoints() {}

  /**
   * One exporter.
   *
   * @param scheme http or https
   * @param address an IP address, one of version 6 without brackets
   * @param namespace of its pod
   * @param node empty if the cluster does not tell
   */
  public record Endpoint(
      String scheme, String address, int port, String namespace, String pod, String node) {

    /** Where it shows its metrics. */
    public URI url() {
      String host = address.contains(":") ? "[" + address + "]" : address;
      return URI.create(scheme + "://" + host + ":" + port + "/metrics");
    }
  }

  /**
   * What a search found.
   *
   * @param notes why nothing could be looked for, if so
   */
  public record Search(List<Endpoint> endpoints, List<String> notes) {

    public Search {
      endpoints = List.copyOf(endpoints);
      notes = List.copyOf(notes);
    }
  }

  /** Looks through the EndpointSlices of a namespace, or of all. */
  public static Search find(KubernetesConnection connection, Optional<String> namespace) {
    List<Endpoint> found = new ArrayList<>();
    try {
      new ObjectLister(connection.api())
          .list(
              new ObjectLister.Query(SLICES, namespace.orElse(""), OF_SLICES, PAGE, false),
              () -> {
                found.clear();
                return slice -> found.addAll(of(slice));
              });
    } catch (ApiRefusal refusal) {
      if (!refusal.forbidden() && !refusal.missing()) {
        throw refusal.unavailable();
      }
      return new Search(
          List.of(),
          List.of("GPU exporters were not looked for in the cluster: " + refusal.getMessage()));
    }
    return new Search(onePerPod(found), List.of());
  }

  /** The exporters of one slice; none if it does not look like one of exporters. */
  static List<Endpoint> of(ObjectTree slice) {
    String type = slice.textOr("", "addressType");
    Optional<ObjectTree> port = portOf(slice);
    if (!isOfExporter(slice) || port.isEmpty() || !(type.equals("IPv4") || type.equals("IPv6"))) {
      return List.of();
    }
    List<Endpoint> endpoints = new ArrayList<>();
    for (ObjectTree endpoint : slice.list("endpoints")) {
      boolean away = endpoint.textOr("true", "conditions", "ready").equals("false");
      if (!away && isOwnPod(endpoint.tree("targetRef"), slice)) {
        addressOf(endpoint)
            .map(address ->
                new Endpoint(
                    schemeOf(port.get()),
                    address,
                    (int) port.get().number("port").orElse(0),
                    slice.textOr("", "metadata", "namespace"),
                    endpoint.textOr("", "targetRef", "name"),
                    endpoint.textOr("", "nodeName")))
            .ifPresent(endpoints::add);
      }
    }
    return endpoints;
  }

  private static boolean isOfExporter(ObjectTree slice) {
    Map<String, String> labels = slice.texts("metadata", "labels");
    return TELLING_LABELS.stream()
        .map(label -> labels.getOrDefault(label, ""))
        .anyMatch(name -> EXPORTERS.stream().anyMatch(name::contains));
  }

  private static boolean isOwnPod(ObjectTree reference, ObjectTree slice) {
    String home = slice.textOr("", "metadata", "namespace");
    return reference.textOr("", "kind").equals("Pod")
        && !reference.textOr("", "name").isEmpty()
        && reference.textOr(home, "namespace").equals(home);
  }

  private static Optional<String> addressOf(ObjectTree endpoint) {
    return endpoint.fields().get("addresses") instanceof List<?> addresses
            && !addresses.isEmpty()
            && addresses.getFirst() instanceof String address
            && address.matches("[0-9a-fA-F:.]{2,45}")
        ? Optional.of(address)
        : Optional.empty();
  }

  /** By its usual number, else by its name, else the only one. */
  private static Optional<ObjectTree> portOf(ObjectTree slice) {
    List<ObjectTree> ports =
        slice.list("ports").stream()
            .filter(port -> port.textOr("TCP", "protocol").equals("TCP"))
            .filter(port -> port.number("port").orElse(0) > 0)
            .toList();
    return Stream.concat(
            ports.stream().filter(port -> PORTS.contains(port.number("port").orElse(0))),
            ports.stream().filter(port -> port.textOr("", "name").contains("metrics")))
        .findFirst()
        .or(() -> ports.size() == 1 ? Optional.of(ports.getFirst()) : Optional.empty());
  }

  private static String schemeOf(ObjectTree port) {
    String said = port.textOr("", "appProtocol") + " " + port.textOr("", "name");
    return said.toLowerCase(Locale.ROOT).contains("https") ? "https" : "http";
  }

  /** A pod may stand behind several Services, and have addresses of both versions. */
  private static List<Endpoint> onePerPod(List<Endpoint> endpoints) {
    Map<String, Endpoint> byPod = new LinkedHashMap<>();
    endpoints.stream()
        .sorted(
            Comparator.comparing((Endpoint one) -> one.address().contains(":"))
                .thenComparing(Endpoint::namespace)
                .thenComparing(Endpoint::pod)
                .thenComparingInt(Endpoint::port))
        .forEach(one -> byPod.putIfAbsent(one.namespace() + "/" + one.pod(), one));
    return List.copyOf(byPod.values());
  }
}
