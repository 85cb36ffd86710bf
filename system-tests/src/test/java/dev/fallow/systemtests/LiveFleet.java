package dev.fallow.systemtests;

import dev.fallow.rig.ApiResponse;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * GPU workloads in a real API server, and what their GPUs did up to now. No controller moves the
 * pods: they stay as they are put there.
 */
final class LiveFleet {

  private record Series(
      String metric, String node, String namespace, String pod, ToDoubleFunction<Instant> use) {}

  private static final String UTILISATION = "DCGM_FI_DEV_GPU_UTIL";
  private static final String POWER = "DCGM_FI_DEV_POWER_USAGE";

  private final Rig rig;
  private final List<Series> series = new ArrayList<>();

  LiveFleet(Rig rig) {
    this.rig = rig;
  }

  void namespace(String name) {
    ApiResponse reply =
        rig.admin()
            .post(
                "/api/v1/namespaces",
                "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"%s\"}}"
                    .formatted(name));
    if (reply.status() != 409) {
      reply.orThrow();
    }
  }

  /** Creates an object; the path is that of its collection. */
  Json create(String collection, String json) {
    return rig.admin().post(collection, json).orThrow().json();
  }

  Json deployment(String namespace, String name, int replicas) {
    namespace(namespace);
    return create(
        "/apis/apps/v1/namespaces/" + namespace + "/deployments",
        """
        {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"%s","labels":{"team":"red"}},
         "spec":{"replicas":%d,"selector":{"matchLabels":{"app":"%s"}},
          "template":{"metadata":{"labels":{"app":"%s"}},"spec":{"containers":[{"name":"main","image":"none"}]}}}}
        """
            .formatted(name, replicas, name, name));
  }

  /** The same, and how many watts its GPU takes. */
  void pod(Json owner, ToDoubleFunction<Instant> use, ToDoubleFunction<Instant> watts) {
    pod(owner, use);
    Series last = series.getLast();
    series.add(new Series(POWER, last.node, last.namespace, last.pod, watts));
  }

  /** A pod with one GPU that has run for two hours, controlled by an object. */
  void pod(Json owner, ToDoubleFunction<Instant> use) {
    String namespace = owner.at("metadata", "namespace").text();
    String name = owner.at("metadata", "name").text() + "-" + series.size();
    String node = "node-" + name;
    String path = "/api/v1/namespaces/" + namespace + "/pods";
    create(
        path,
        """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","labels":{"app":"%s"},"ownerReferences":[
           {"apiVersion":"%s","kind":"%s","name":"%s","uid":"%s","controller":true}]},
         "spec":{"nodeName":"%s","terminationGracePeriodSeconds":0,"containers":[{"name":"main","image":"none",
           "resources":{"limits":{"nvidia.com/gpu":"1"}}}]}}
        """
            .formatted(
                name,
                owner.at("metadata", "name").text(),
                owner.at("apiVersion").text(),
                owner.at("kind").text(),
                owner.at("metadata", "name").text(),
                owner.at("metadata", "uid").text(),
                node));
    Instant started =
        Instant.now().minus(Duration.ofHours(2)).truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
    rig.admin()
        .patch(
            path + "/" + name + "/status",
            """
            {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True","lastTransitionTime":"%s"}],
             "containerStatuses":[{"name":"main","ready":true,"restartCount":0,"image":"none","imageID":"none",
               "state":{"running":{"startedAt":"%s"}}}]}}
            """
                .formatted(started, started))
        .orThrow();
    rig.age(path + "/" + name, started);
    series.add(new Series(UTILISATION, node, namespace, name, use));
  }

  static double idle(Instant at) {
    return 0;
  }

  static double busy(Instant at) {
    return 80;
  }

  /**
   * What the exporters say, every 30 s from two hours ago to ten minutes from now: what lies ahead
   * does not exist yet for whoever judges.
   */
  Path samples(Path folder) {
    return samples(folder, Duration.ofHours(2), Duration.ofSeconds(30));
  }

  /** The same from another past on, and in other steps. */
  Path samples(Path folder, Duration past, Duration step) {
    Instant now = Instant.now();
    StringBuilder text = new StringBuilder();
    for (String metric : List.of(UTILISATION, POWER)) {
      text.append("# TYPE ").append(metric).append(" gauge\n");
      series.stream()
          .filter(one -> one.metric.equals(metric))
          .forEach(one -> append(one, text, now.minus(past), step));
    }
    try {
      return Files.writeString(folder.resolve("samples.om"), text.append("# EOF\n"));
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static void append(Series one, StringBuilder text, Instant from, Duration step) {
    Instant end = Instant.now().plus(Duration.ofMinutes(10));
    for (Instant at = from; at.isBefore(end); at = at.plus(step)) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s{gpu=\"0\",UUID=\"GPU-%s\",Hostname=\"%s\",modelName=\"NVIDIA"
                  + " A100-SXM4-80GB\",exported_namespace=\"%s\",exported_pod=\"%s\",namespace=\"gpu-operator\",pod=\"dcgm-%s\",job=\"dcgm-exporter\"}"
                  + " %s %.3f%n",
              one.metric,
              one.pod,
              one.node,
              one.namespace,
              one.pod,
              one.node,
              one.use.applyAsDouble(at),
              at.toEpochMilli() / 1000.0));
    }
  }
}
