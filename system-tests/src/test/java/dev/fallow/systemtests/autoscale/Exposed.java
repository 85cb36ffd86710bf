package dev.fallow.systemtests.autoscale;

import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;

/** What an exporter shows of some pods over which work is spread. */
@FunctionalInterface
interface Exposed {

  /** A running pod; older ones come first. */
  record Pod(String namespace, String name, String node) {}

  /**
   * @param load per cent of a GPU that all the work takes
   */
  String of(List<Pod> pods, double load);

  /** One GPU a pod. */
  static Exposed oneGpu() {
    return utilization(1);
  }

  /** Several GPUs a pod: work fills the first before it comes to the next. */
  static Exposed utilization(int gpus) {
    return (pods, load) -> {
      StringBuilder text = new StringBuilder();
      for (Pod pod : pods) {
        double left = load * gpus / pods.size();
        for (int gpu = 0; gpu < gpus; gpu++) {
          double share = Math.min(100, left);
          left -= share;
          text.append(line("DCGM_FI_DEV_GPU_UTIL", pod, gpu, "", number(share)));
        }
      }
      return text.toString();
    };
  }

  /** Several GPUs a pod, of which one works. */
  static Exposed oneOf(int gpus) {
    return (pods, load) -> {
      StringBuilder text = new StringBuilder();
      for (Pod pod : pods) {
        for (int gpu = 0; gpu < gpus; gpu++) {
          String shown = gpu == 0 ? number(share(load, pods.size())) : "0";
          text.append(line("DCGM_FI_DEV_GPU_UTIL", pod, gpu, "", shown));
        }
      }
      return text.toString();
    };
  }

  /** An instance of a card a pod, of which only profiling metrics are known. */
  static Exposed instances() {
    return eachPod((pod, share) ->
        line(
            "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
            pod,
            0,
            ",GPU_I_PROFILE=\"1g.10gb\",GPU_I_ID=\"7\"",
            number(share / 100)));
  }

  /** A card of AMD's a pod, as its exporter tells it. */
  static Exposed ofAmd() {
    return eachPod((pod, share) ->
        ("gpu_gfx_activity{gpu_id=\"0\",serial_number=\"S-%s\",card_model=\"0x74a1\",hostname=\"%s\",gpu_partition_id=\"0\",namespace=\"%s\",pod=\"%s\",container=\"main\"}"
             + " %s%n")
            .formatted(pod.name(), pod.node(), pod.namespace(), pod.name(), number(share)));
  }

  /** Labels that Prometheus has renamed, because those of the exporter's own pod are kept. */
  static Exposed besideTheExportersOwn() {
    return eachPod((pod, share) ->
        ("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-%s\",Hostname=\"%s\",namespace=\"gpu-monitoring\","
             + "pod=\"dcgm-exporter-abcde\",container=\"dcgm-exporter\",exported_namespace=\"%s\",exported_pod=\"%s\",exported_container=\"main\"}"
             + " %s%n")
            .formatted(pod.name(), pod.node(), pod.namespace(), pod.name(), number(share)));
  }

  /** Two pods on each card, of which the exporter knows what the card does. */
  static Exposed twoOnACard() {
    return (pods, load) -> {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < pods.size(); i++) {
        text.append(
            "DCGM_FI_DEV_GPU_UTIL{gpu=\"%d\",UUID=\"GPU-shared-%d\",%s} %s%n"
                .formatted(i / 2, i / 2, labels(pods.get(i)), number(share(load, pods.size()))));
      }
      return text.toString();
    };
  }

  /** Beside its utilisation, memory that shrinks with the number of pods from 100 per cent. */
  static Exposed memoryToo() {
    Exposed use = oneGpu();
    return (pods, load) -> {
      StringBuilder text = new StringBuilder(use.of(pods, load));
      for (Pod pod : pods) {
        double used = 80_000.0 / pods.size();
        text.append(line("DCGM_FI_DEV_FB_USED", pod, 0, "", number(used)));
        text.append(line("DCGM_FI_DEV_FB_FREE", pod, 0, "", number(80_000 - used)));
      }
      return text.toString();
    };
  }

  /** Reads and writes of the memory, as the old average of all GPUs is made from. */
  static Exposed bandwidth() {
    return eachPod((pod, share) -> line("DCGM_FI_DEV_MEM_COPY_UTIL", pod, 0, "", number(share)));
  }

  /** All work is on the younger pods, and of the oldest this is shown; nothing if empty. */
  static Exposed oldestShows(String value) {
    return (pods, load) -> {
      StringBuilder text = new StringBuilder();
      int others = Math.max(1, pods.size() - 1);
      for (int i = 0; i < pods.size(); i++) {
        String shown = i == 0 ? value : number(share(load, others));
        if (!shown.isEmpty()) {
          text.append(line("DCGM_FI_DEV_GPU_UTIL", pods.get(i), 0, "", shown));
        }
      }
      return text.toString();
    };
  }

  /** The same of every pod. */
  static Exposed always(String value) {
    return eachPod((pod, share) -> line("DCGM_FI_DEV_GPU_UTIL", pod, 0, "", value));
  }

  static Exposed nothing() {
    return (pods, load) -> "";
  }

  /** Requests that wait at each pod, told by the pod. */
  static Exposed waiting() {
    return (pods, load) -> {
      StringBuilder text = new StringBuilder();
      for (Pod pod : pods) {
        text.append(
            "vllm:num_requests_waiting{namespace=\"%s\",pod=\"%s\"} %s%n"
                .formatted(pod.namespace(), pod.name(), number(load / pods.size())));
      }
      return text.toString();
    };
  }

  /** A queue before the pods, told by somebody who is there also while they are not. */
  static Exposed queue() {
    return (pods, load) ->
        "gateway_requests_queued{namespace=\"ml\",pod=\"gateway-0\"} " + number(load) + "\n";
  }

  private static Exposed eachPod(BiFunction<Pod, Double, String> one) {
    return (pods, load) -> {
      StringBuilder text = new StringBuilder();
      pods.forEach(pod -> text.append(one.apply(pod, share(load, pods.size()))));
      return text.toString();
    };
  }

  private static double share(double load, int pods) {
    return Math.min(100, load / pods);
  }

  private static String line(String family, Pod pod, int gpu, String more, String value) {
    return "%s{gpu=\"%d\",UUID=\"GPU-%s-%d\",%s%s} %s%n"
        .formatted(family, gpu, pod.name(), gpu, labels(pod), more, value);
  }

  private static String labels(Pod pod) {
    return ("Hostname=\"%s\",modelName=\"NVIDIA A100-SXM4-80GB\",namespace=\"%s\",pod=\"%s\","
            + "container=\"main\"")
        .formatted(pod.node(), pod.namespace(), pod.name());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }
}
