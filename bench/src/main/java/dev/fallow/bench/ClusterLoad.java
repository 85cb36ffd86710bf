package dev.fallow.bench;

import dev.fallow.rig.ApiClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.function.IntConsumer;

/** Writes the fleet's objects into a real API server, which gives each its UID. */
final class ClusterLoad {

  private static final int PARALLEL = 16;

  private final BenchFleet fleet;
  private final ApiClient api;

  ClusterLoad(BenchFleet fleet, ApiClient api) {
    this.fleet = fleet;
    this.api = api;
  }

  void write() {
    api.post("/api/v1/namespaces", namespace(BenchFleet.EXPORTER_NAMESPACE)).orThrow();
    all(
        fleet.namespaces(),
        i -> api.post("/api/v1/namespaces", namespace(fleet.namespace(i))).orThrow());
    all(fleet.nodes(), this::node);
    all(fleet.deployments(), this::deployment);
  }

  private static String namespace(String name) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\""
        + name
        + "\"}}";
  }

  /** A node and the exporter on it. */
  private void node(int node) {
    String name = fleet.node(node * BenchFleet.GPUS_OF_NODE);
    api.post(
            "/api/v1/nodes",
            """
            {"apiVersion":"v1","kind":"Node","metadata":{"name":"%s","labels":{
              "nvidia.com/gpu.product":"NVIDIA-A100-SXM4-80GB","nvidia.com/gpu.count":"8"}},
             "status":{"capacity":{"cpu":"96","memory":"1Ti","pods":"110","nvidia.com/gpu":"8"},
              "allocatable":{"cpu":"96","memory":"1Ti","pods":"110","nvidia.com/gpu":"8"}}}
            """
                .formatted(name))
        .orThrow();
    api.post(
            pods(BenchFleet.EXPORTER_NAMESPACE),
            """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s"},
             "spec":{"nodeName":"%s","containers":[{"name":"exporter","image":"exporter"}]}}
            """
                .formatted(fleet.exporter(node), name))
        .orThrow();
  }

  /** A Deployment, its ReplicaSet and its pods. */
  private void deployment(int deployment) {
    String namespace = fleet.namespace(deployment);
    String app = fleet.deployment(deployment);
    String apps = "/apis/apps/v1/namespaces/" + namespace;
    String deploymentUid = created(apps + "/deployments", controller("Deployment", app, app, ""));
    observed(apps + "/deployments/" + app);
    String owner = owner("Deployment", app, deploymentUid);
    String set = fleet.replicaSet(deployment);
    String setUid = created(apps + "/replicasets", controller("ReplicaSet", set, app, owner));
    observed(apps + "/replicasets/" + set);
    int first = deployment * fleet.replicas();
    for (int pod = first; pod < first + fleet.replicas(); pod++) {
      pod(namespace, app, owner("ReplicaSet", set, setUid), pod);
    }
  }

  /** As its controller would say, which does not run. */
  private void observed(String path) {
    api.patch(path + "/status", "{\"status\":{\"observedGeneration\":1}}").orThrow();
  }

  private void pod(String namespace, String app, String owner, int pod) {
    created(
        pods(namespace),
        """
        {"apiVersion":"v1","kind":"Pod",
         "metadata":{"name":"%s","labels":{"app":"%s"}%s},
         "spec":{"nodeName":"%s",%s}}
        """
            .formatted(fleet.pod(pod), app, owner, fleet.node(pod), containers()));
    api.patch(
            pods(namespace) + "/" + fleet.pod(pod) + "/status",
            """
            {"status":{"phase":"Running","startTime":"%1$s",
              "conditions":[{"type":"Ready","status":"True","lastTransitionTime":"%1$s"}],
              "containerStatuses":[{"name":"main","image":"server","imageID":"","ready":true,
                "restartCount":0,"state":{"running":{"startedAt":"%1$s"}}}]}}
            """
                .formatted(fleet.started()))
        .orThrow();
  }

  private String controller(String kind, String name, String app, String owner) {
    return """
    {"apiVersion":"apps/v1","kind":"%s","metadata":{"name":"%s","labels":{"app":"%s"}%s},
     "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"%s"}},
      "template":{"metadata":{"labels":{"app":"%s"}},"spec":{%s}}}}
    """
        .formatted(kind, name, app, owner, fleet.replicas(), app, app, containers());
  }

  private static String containers() {
    return """
    "containers":[{"name":"main","image":"server","resources":{"limits":{"nvidia.com/gpu":"1"}}}]\
    """;
  }

  private static String owner(String kind, String name, String uid) {
    return """
    ,"ownerReferences":[{"apiVersion":"apps/v1","kind":"%s","name":"%s","uid":"%s",\
    "controller":true}]\
    """
        .formatted(kind, name, uid);
  }

  private static String pods(String namespace) {
    return "/api/v1/namespaces/" + namespace + "/pods";
  }

  private String created(String path, String object) {
    return api.post(path, object).orThrow().json().at("metadata", "uid").text();
  }

  private static void all(int count, IntConsumer write) {
    Semaphore slots = new Semaphore(PARALLEL);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> written = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int number = i;
        slots.acquire();
        written.add(
            threads.submit(() -> {
              try {
                write.accept(number);
              } finally {
                slots.release();
              }
            }));
      }
      for (Future<?> one : written) {
        one.get();
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new IllegalStateException("the fleet could not be written", e);
    }
  }
}
