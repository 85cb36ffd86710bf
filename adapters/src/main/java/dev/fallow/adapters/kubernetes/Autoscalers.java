package dev.fallow.adapters.kubernetes;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Hpa;
import java.util.Optional;

/** Reads HorizontalPodAutoscalers. */
public final class Autoscalers {

  private static final ResourceKind HPA =
      new ResourceKind(
          "autoscaling/v2", "HorizontalPodAutoscaler", "horizontalpodautoscalers", true);

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
}
