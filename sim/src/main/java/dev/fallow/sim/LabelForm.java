package dev.fallow.sim;

import dev.fallow.core.idle.Signal;

/**
 * The forms in which exporters and Prometheus hand on the same facts. What AMD's exporter and MIG
 * instances look like is a matter of the node, and so appears in every form.
 */
public enum LabelForm {
  /** {@code honorLabels: true}: the workload's pod is {@code pod}. */
  HONOURED,
  /** {@code honorLabels: false}: it is {@code exported_pod}, and {@code pod} is the exporter's. */
  EXPORTED,
  /**
   * {@code --use-old-namespace}: metrics such as {@code dcgm_gpu_utilization}, {@code pod_name}.
   */
  OLD_NAMES,
  /** Newer exporters write {@code hostname} where older ones wrote {@code Hostname}. */
  LOWERCASE_HOSTNAME,
  /** {@code --kubernetes-virtual-gpus}: a copy of the card's value for each pod that shares it. */
  VIRTUAL_GPUS,
  /** The same by a newer exporter that sees processes: utilisation is each pod's own. */
  VIRTUAL_PROCESSES,
  /** The same by a newer exporter that may not see processes: it writes 0 for every pod. */
  VIRTUAL_ZEROS;

  /** Whether each pod that shares a card has a series of its own at every look. */
  boolean copiesPerSharer() {
    return this == VIRTUAL_GPUS || perProcess();
  }

  /** Whether a shared card's utilisation is written by pod, and the card's own beside it. */
  boolean perProcess() {
    return this == VIRTUAL_PROCESSES || this == VIRTUAL_ZEROS;
  }

  /** The metric family of a signal. */
  public String metric(Signal signal, GpuModel model) {
    if (signal == Signal.POWER && model.amd()) {
      return "gpu_power_usage";
    }
    return signal.metrics().get(this == OLD_NAMES && !model.amd() ? 1 : 0);
  }
}
