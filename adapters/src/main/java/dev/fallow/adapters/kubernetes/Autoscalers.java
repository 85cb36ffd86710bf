package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.Surroundings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads HorizontalPodAutoscalers, and what their metrics are of. */
public final class Autoscalers {

  private static final ResourceKind HPA =
      new ResourceKind(
          "autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true);

  private static final int PAGE = 500;

  private final ObjectLister lister;

  public Autoscalers(KubernetesConnection connection) {
    this.lister = new ObjectLister(connection.api());
  }

  /**
   * @throws Unavailable if the API server does not answer, or not to us
   */
  public Optional<Hpa> find(String namespace, String name) {
    try {
      return lister.get(HPA, namespace, name, Projection.WHOLE).map(Hpa::of);
    } catch (ApiRefusal refusal) {
      throw refusal.unavailable();
    }
  }

  /**
   * Those of a namespace.
   *
   * @throws Unavailable if the API server does not answer, or not to us
   */
  public List<Hpa> in(String namespace) {
    List<Hpa> found = new ArrayList<>();
    try {
      lister.list(
          new ObjectLister.Query(HPA, namespace, Projection.WHOLE, PAGE, false),
          () -> {
            found.clear();
            return object -> found.add(Hpa.of(object));
          });
    } catch (ApiRefusal refusal) {
      throw refusal.unavailable();
    }
    return found;
  }

  /**
   * The Services of a namespace, if a metric of these autoscalers is of one; else none is read.
   *
   * @throws Unavailable if the API server does not answer, or not to us
   */
  public Surroundings around(String namespace, List<Hpa> hpas) {
    boolean ofService =
        hpas.stream()
            .flatMap(hpa -> hpa.metrics().stream())
            .anyMatch(metric ->
                metric.source() == Hpa.Source.OBJECT && metric.object().is("", "Service"));
    if (!ofService) {
      return Surroundings.NONE;
    }
    List<Surroundings.ServiceFacts> found = new ArrayList<>();
    try {
      lister.list(
          new ObjectLister.Query(
              ResourceKind.SERVICES, namespace, Projection.OF_SERVICES, PAGE, false),
          () -> {
            found.clear();
            return object -> found.add(InformerClusterReader.serviceFacts(object));
          });
    } catch (ApiRefusal refusal) {
      throw refusal.unavailable();
    }
    return new Surroundings(found, List.of());
  }
}
