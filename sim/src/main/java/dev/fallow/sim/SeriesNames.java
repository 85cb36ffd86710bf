package dev.fallow.sim;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The labels of a device's series, as the exporter writes them and as Prometheus stores them. */
final class SeriesNames {

  private final LabelForm form;

  SeriesNames(LabelForm form) {
    this.form = form;
  }

  /** As the exporter itself writes them. */
  Map<String, String> exposed(SimDevice device, Optional<SimPod> holder, int share) {
    return device.node().model().amd() ? amd(device, holder) : nvidia(device, holder, share);
  }

  /** As they stand in Prometheus, where the labels of the scrape have been added. */
  Map<String, String> stored(SimDevice device, Optional<SimPod> holder, int share) {
    Map<String, String> labels = new LinkedHashMap<>();
    exposed(device, holder, share)
        .forEach((name, value) -> {
          if (!value.isEmpty()) {
            labels.put(name, value);
          }
        });
    target(device.node())
        .forEach((name, value) -> {
          String aside = labels.get(name);
          if (aside == null) {
            labels.put(name, value);
          } else if (form == LabelForm.EXPORTED) {
            labels.put("exported_" + name, aside);
            labels.put(name, value);
          }
        });
    return labels;
  }

  private Map<String, String> target(SimNode node) {
    Map<String, String> target = new LinkedHashMap<>();
    target.put("job", ExporterPods.set(node));
    target.put("instance", ExporterPods.address(node));
    if (form == LabelForm.OLD_NAMES) {
      // The scrape configurations of that time named the target so.
      target.put("kubernetes_namespace", ExporterPods.namespace(node));
      target.put("kubernetes_pod_name", ExporterPods.name(node));
    } else {
      target.put("namespace", ExporterPods.namespace(node));
      target.put("pod", ExporterPods.name(node));
      target.put("container", "exporter");
    }
    return target;
  }

  private Map<String, String> nvidia(SimDevice device, Optional<SimPod> holder, int share) {
    boolean old = form == LabelForm.OLD_NAMES;
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("gpu", "" + device.card());
    labels.put(old ? "uuid" : "UUID", device.uuid());
    labels.put("pci_bus_id", device.pciBusId());
    labels.put("device", "nvidia" + device.card());
    labels.put("modelName", device.node().model().spelling());
    if (device.mig()) {
      labels.put("GPU_I_PROFILE", device.migProfile());
      labels.put("GPU_I_ID", device.migInstance());
    }
    labels.put(
        form == LabelForm.LOWERCASE_HOSTNAME ? "hostname" : "Hostname", device.node().name());
    labels.put("DCGM_FI_DRIVER_VERSION", "570.124.06");
    holder.ifPresent(pod -> {
      labels.put(old ? "container_name" : "container", PodManifest.CONTAINER);
      labels.put(old ? "pod_namespace" : "namespace", pod.namespace());
      labels.put(old ? "pod_name" : "pod", pod.name());
      if (form.copiesPerSharer() && device.node().shared()) {
        labels.put("vgpu", "" + share);
      }
    });
    return labels;
  }

  /** AMD's exporter writes every label always; a free card's pod is the empty text. */
  private static Map<String, String> amd(SimDevice device, Optional<SimPod> holder) {
    Map<String, String> labels = new LinkedHashMap<>();
    labels.put("gpu_id", "" + device.card());
    if (!device.mig()) {
      labels.put("gpu_uuid", device.uuid().substring("GPU-".length()));
    }
    labels.put("serial_number", "6924" + Long.toHexString(Dice.roll(4, device.uuid()) >>> 40));
    labels.put("card_model", device.node().model().spelling());
    labels.put("hostname", device.node().name());
    labels.put("gpu_partition_id", "" + device.partition());
    labels.put("gpu_compute_partition_type", device.mig() ? device.migProfile() : "spx");
    labels.put("gpu_memory_partition_type", "nps1");
    labels.put("deployment_mode", "kubernetes");
    labels.put("pod", holder.map(SimPod::name).orElse(""));
    labels.put("namespace", holder.map(SimPod::namespace).orElse(""));
    labels.put("container", holder.isPresent() ? PodManifest.CONTAINER : "");
    labels.put("job_id", "");
    return labels;
  }
}
