package dev.fallow.systemtests;

import dev.fallow.rig.ApiClient;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.awaitility.Awaitility;

/** Custom kinds that workloads come in; their definitions suffice, no controller runs. */
final class TestKinds {

  private record Kind(String group, String version, String kind) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind("kubeflow.org", "v1", "Notebook"),
          new Kind("kubeflow.org", "v1", "PyTorchJob"),
          new Kind("serving.kserve.io", "v1beta1", "InferenceService"),
          new Kind("serving.knative.dev", "v1", "Service"),
          new Kind("serving.knative.dev", "v1", "Configuration"),
          new Kind("serving.knative.dev", "v1", "Revision"),
          new Kind("leaderworkerset.x-k8s.io", "v1", "LeaderWorkerSet"),
          new Kind("jobset.x-k8s.io", "v1alpha2", "JobSet"),
          new Kind("ray.io", "v1", "RayCluster"),
          new Kind("trainer.kubeflow.org", "v1alpha1", "TrainJob"),
          new Kind("argoproj.io", "v1alpha1", "Rollout"),
          new Kind("apps.nvidia.com", "v1alpha1", "NIMService"),
          new Kind("apps.kruise.io", "v1beta1", "StatefulSet"),
          new Kind("fallow.dev", "v1", "WorkloadState"),
          new Kind("example.com", "v1", "Layer"));

  private TestKinds() {}

  static void install(ApiClient api) {
    for (Kind kind : KINDS) {
      String plural = plural(kind.kind());
      api.post(
              "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
              """
              {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
               "metadata":{"name":"%s.%s","annotations":{"api-approved.kubernetes.io":"unapproved, for tests"}},
               "spec":{"group":"%s","scope":"Namespaced",
                "names":{"kind":"%s","plural":"%s","singular":"%s"},
                "versions":[{"name":"%s","served":true,"storage":true,"subresources":{"status":{}},
                 "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}
              """
                  .formatted(
                      plural,
                      kind.group(),
                      kind.group(),
                      kind.kind(),
                      plural,
                      kind.kind().toLowerCase(Locale.ROOT),
                      kind.version()))
          .orThrow();
    }
    for (Kind kind : KINDS) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() ->
              api.get(
                      "/apis/"
                          + kind.group()
                          + "/"
                          + kind.version()
                          + "/namespaces/default/"
                          + plural(kind.kind()))
                  .ok());
    }
  }

  static String plural(String kind) {
    return kind.toLowerCase(Locale.ROOT) + "s";
  }
}
