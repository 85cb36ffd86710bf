package dev.fallow.bench;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigNode;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * A living fleet: Deployments whose pods controllers make and KWOK runs, GPUs that are at work for
 * a while and still for a while, and a person who switches on again what was paused. Everything
 * that is random follows from a seed.
 */
final class SoakFleet {

  private static final int DEPLOYMENTS = 80;
  private static final int REPLICAS = 4;
  private static final int GPUS_OF_NODE = 8;
  private static final String NAMESPACE = "soak";
  private static final String METRIC = "DCGM_FI_PROF_GR_ENGINE_ACTIVE";
  private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";
  private static final String PATH = "/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments";

  /** Of a hundred Deployments at work so many go still in a step, and the other way round. */
  private static final int GO_STILL = 2;

  private static final int GO_ON = 5;

  private final ApiClient api;
  private final RemoteWrite prometheus;
  private final RandomGenerator random = RandomGeneratorFactory.getDefault().create(4);
  private final boolean[] still = new boolean[DEPLOYMENTS];
  private int resumed;

  SoakFleet(Rig rig, URI prometheus) {
    this.api = rig.admin();
    this.prometheus = new RemoteWrite(prometheus);
  }

  void create() {
    api.post(
            "/api/v1/namespaces",
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"soak\"}}")
        .orThrow();
    for (int node = 0; node < DEPLOYMENTS * REPLICAS / GPUS_OF_NODE + 2; node++) {
      api.createNode(RigNode.named("gpu-node-" + node).gpus(GPUS_OF_NODE));
    }
    List<String> deployments = new ArrayList<>();
    for (int i = 0; i < DEPLOYMENTS; i++) {
      deployments.add(
          """
          {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"app-%1$d"},
           "spec":{"replicas":%2$d,"selector":{"matchLabels":{"app":"app-%1$d"}},
            "template":{"metadata":{"labels":{"app":"app-%1$d"}},"spec":{
             "terminationGracePeriodSeconds":0,"containers":[{"name":"main","image":"server",
              "resources":{"limits":{"nvidia.com/gpu":"1"}}}]}}}}
          """
              .formatted(i, REPLICAS));
    }
    api.postAll(PATH, deployments);
  }

  int resumed() {
    return resumed;
  }

  /** One sample a running pod, and now and then something changes. */
  int step(long now) throws IOException, InterruptedException {
    for (int i = 0; i < DEPLOYMENTS; i++) {
      if (random.nextInt(100) < (still[i] ? GO_ON : GO_STILL)) {
        still[i] = !still[i];
      }
    }
    int running = 0;
    for (Json pod : api.get(PODS).orThrow().json().at("items").items()) {
      if (pod.at("status", "phase").text().equals("Running")) {
        running++;
        sample(pod, now);
      }
    }
    prometheus.send();
    return running;
  }

  private void sample(Json pod, long now) {
    String name = pod.at("metadata", "name").text();
    String node = pod.at("spec", "nodeName").text();
    int deployment = Integer.parseInt(name.split("-")[1]);
    TreeMap<String, String> labels = new TreeMap<>();
    labels.put("__name__", METRIC);
    labels.put("Hostname", node);
    labels.put("UUID", "GPU-" + pod.at("metadata", "uid").text());
    labels.put("exported_container", "main");
    labels.put("exported_namespace", NAMESPACE);
    labels.put("exported_pod", name);
    labels.put("gpu", "0");
    labels.put("job", "nvidia-dcgm-exporter");
    labels.put("modelName", "NVIDIA A100-SXM4-80GB");
    labels.put("namespace", "gpu-operator");
    labels.put("pod", "dcgm-" + node);
    prometheus.series(RemoteWrite.labels(labels));
    prometheus.sample(now, still[deployment] ? 0 : random.nextInt(20, 100) / 100.0);
  }

  /** A person misses what is off; half of it is on again after a step. */
  void resumeSome() {
    for (Json deployment : api.get(PATH).orThrow().json().at("items").items()) {
      if (deployment.at("spec", "replicas").number() == 0 && random.nextBoolean()) {
        api.patch(
                PATH + "/" + deployment.at("metadata", "name").text(),
                "{\"spec\":{\"replicas\":" + REPLICAS + "}}")
            .orThrow();
        resumed++;
      }
    }
  }
}
