package dev.fallow.adapters.casefolder;

import java.time.Instant;

/** A case of one Deployment with one still GPU: idle, until a test breaks something in it. */
final class GoodCase {

  static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");

  static final String CASE = "at: 2026-11-02T12:00:00Z\n";

  static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: trainer, namespace: ml, uid: u1}
      spec: {replicas: 1}
      """;

  static final String REPLICA_SET =
      """
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata:
        name: trainer-5d4f
        namespace: ml
        uid: u2
        ownerReferences:
        - {apiVersion: apps/v1, kind: Deployment, name: trainer, uid: u1, controller: true}
      """;

  static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: trainer-x
        namespace: ml
        uid: u3
        creationTimestamp: "2026-11-02T08:00:00Z"
        ownerReferences:
        - {apiVersion: apps/v1, kind: ReplicaSet, name: trainer-5d4f, uid: u2, controller: true}
      spec:
        nodeName: gpu-1
        containers:
        - name: main
          resources: {limits: {nvidia.com/gpu: "1"}}
      status:
        phase: Running
        conditions:
        - {type: Ready, status: "True", lastTransitionTime: "2026-11-02T08:01:00Z"}
        containerStatuses:
        - {name: main, ready: true, state: {running: {startedAt: "2026-11-02T08:00:30Z"}}}
      """;

  static final String OBJECTS = DEPLOYMENT + "---\n" + REPLICA_SET + "---\n" + POD;

  static final String SERIES =
      "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\",Hostname=\"gpu-1\",pod=\"trainer-x\","
          + "namespace=\"ml\",container=\"main\",job=\"dcgm-exporter\"}";

  private GoodCase() {}

  /** Still every 30 s over the window and some time before. */
  static String samples() {
    return "# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n" + samples(SERIES) + "# EOF\n";
  }

  static String samples(String series) {
    StringBuilder text = new StringBuilder();
    for (long second = AT.getEpochSecond() - 3600; second <= AT.getEpochSecond(); second += 30) {
      text.append(series).append(" 0 ").append(second).append('\n');
    }
    return text.toString();
  }
}
