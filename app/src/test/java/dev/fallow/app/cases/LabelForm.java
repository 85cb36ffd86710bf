package dev.fallow.app.cases;

import java.util.LinkedHashMap;
import java.util.Map;

/** The forms in which one and the same series reaches us. */
public enum LabelForm {
  /** honorLabels on: pod and namespace are the workload's. */
  HONOURED {
    @Override
    void pod(Map<String, String> labels, String namespace, String pod, String uid) {
      labels.put("pod", pod);
      labels.put("namespace", namespace);
      labels.put("container", "main");
    }
  },
  /** honorLabels off: Prometheus moved the workload's aside; pod and namespace are its target's. */
  EXPORTED {
    @Override
    void pod(Map<String, String> labels, String namespace, String pod, String uid) {
      labels.put("exported_pod", pod);
      labels.put("exported_namespace", namespace);
      labels.put("exported_container", "main");
      labels.put("pod", "nvidia-dcgm-exporter-abcde");
      labels.put("namespace", "gpu-operator");
      labels.put("container", "nvidia-dcgm-exporter");
    }
  },
  /** Exporters of before 2.0. */
  OLD_NAMES {
    @Override
    void pod(Map<String, String> labels, String namespace, String pod, String uid) {
      labels.put("pod_name", pod);
      labels.put("pod_namespace", namespace);
      labels.put("container_name", "main");
      labels.put("uuid", labels.remove("UUID"));
    }

    @Override
    public String metric(String name) {
      return switch (name) {
        case "DCGM_FI_DEV_GPU_UTIL" -> "dcgm_gpu_utilization";
        case "DCGM_FI_DEV_MEM_COPY_UTIL" -> "dcgm_mem_copy_utilization";
        case "DCGM_FI_PROF_GR_ENGINE_ACTIVE" -> "dcgm_fi_prof_gr_engine_active";
        default -> name;
      };
    }
  },
  /** As exporters after 4.8.2 spell it. */
  LOWERCASE_HOST {
    @Override
    void pod(Map<String, String> labels, String namespace, String pod, String uid) {
      HONOURED.pod(labels, namespace, pod, uid);
      labels.put("hostname", labels.remove("Hostname"));
    }
  },
  WITH_UID {
    @Override
    void pod(Map<String, String> labels, String namespace, String pod, String uid) {
      HONOURED.pod(labels, namespace, pod, uid);
      labels.put("pod_uid", uid);
    }
  },
  /** No Hostname at all: the node label of the target tells. */
  NODE_LABEL {
    @Override
    void pod(Map<String, String> labels, String namespace, String pod, String uid) {
      HONOURED.pod(labels, namespace, pod, uid);
      labels.put("node", labels.remove("Hostname"));
    }
  },
  /** AMD's exporter: other names for everything. */
  AMD {
    @Override
    public Map<String, String> labels(
        String node, int index, String namespace, String pod, String uid) {
      Map<String, String> labels = new LinkedHashMap<>();
      labels.put("gpu_id", Integer.toString(index));
      labels.put("serial_number", "SN-" + node + "-" + index);
      labels.put("card_model", "MI300X");
      labels.put("hostname", node);
      labels.put("gpu_partition_id", "0");
      HONOURED.pod(labels, namespace, pod, uid);
      labels.put("job", "amd-device-metrics-exporter");
      return labels;
    }

    @Override
    void pod(Map<String, String> labels, String namespace, String pod, String uid) {
      HONOURED.pod(labels, namespace, pod, uid);
    }
  };

  /** The labels of a device's series that names a pod. */
  public Map<String, String> labels(
      String node, int index, String namespace, String pod, String uid) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("gpu", Integer.toString(index));
    labels.put("UUID", "GPU-" + node + "-" + index);
    labels.put("device", "nvidia" + index);
    labels.put("modelName", "NVIDIA A100-SXM4-80GB");
    labels.put("Hostname", node);
    labels.put("job", "nvidia-dcgm-exporter");
    labels.put("instance", "10.0.0." + (1 + Math.floorMod(node.hashCode(), 250)) + ":9400");
    pod(labels, namespace, pod, uid);
    return labels;
  }

  public String metric(String name) {
    return name;
  }

  abstract void pod(Map<String, String> labels, String namespace, String pod, String uid);
}
