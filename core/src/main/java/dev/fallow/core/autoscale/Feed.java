package dev.fallow.core.autoscale;

import dev.fallow.core.idle.Signal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A metric family as it is asked for at the source: one question for all the names that exporters
 * have given the same thing.
 *
 * @param name the present one, which stands for all
 * @param names the present one first, then those of older exporters
 */
public record Feed(String name, List<String> names) {

  public static final Feed FB_USED = spelled("DCGM_FI_DEV_FB_USED", "dcgm_fb_used");
  public static final Feed FB_FREE = spelled("DCGM_FI_DEV_FB_FREE", "dcgm_fb_free");
  public static final Feed FB_RESERVED = spelled("DCGM_FI_DEV_FB_RESERVED", "dcgm_fb_reserved");
  public static final Feed VRAM_USED = spelled("gpu_used_vram", "amd_gpu_used_vram");
  public static final Feed VRAM_TOTAL = spelled("gpu_total_vram", "amd_gpu_total_vram");

  /** Names that begin so are of GPUs, or of programs that serve models. */
  public static final List<String> PREFIXES =
      List.of(
          "DCGM_FI_",
          "DCGM_EXP_",
          "dcgm_",
          "gpu_",
          "amd_gpu_",
          "vllm:",
          "sglang:",
          "tgi_",
          "nv_inference_",
          "nv_gpu_",
          "trtllm_");

  private static final List<String> OURS =
      List.of("gpu_inuse_", "gpu_nonzero_", "gpu_workload_", "gpu_fleet_", "gpu_pruner_");

  private static final int LONGEST_NAME = 200;
  private static final Pattern NAME = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Set<String> EXPORTER_PREFIXES =
      Set.of("DCGM_FI_", "DCGM_EXP_", "dcgm_", "gpu_", "amd_gpu_");
  private static final Map<String, Feed> KNOWN = new HashMap<>();

  static {
    for (Signal signal : Signal.values()) {
      Feed feed = new Feed(signal.metrics().getFirst(), signal.metrics());
      feed.names.forEach(name -> KNOWN.put(name, feed));
    }
    for (Feed feed : List.of(FB_USED, FB_FREE, FB_RESERVED, VRAM_USED, VRAM_TOTAL)) {
      feed.names.forEach(name -> KNOWN.put(name, feed));
    }
  }

  public Feed {
    names = List.copyOf(names);
  }

  private static Feed spelled(String... names) {
    return new Feed(names[0], List.of(names));
  }

  public static Feed of(Signal signal) {
    return KNOWN.getOrDefault(
        signal.metrics().getFirst(), new Feed(signal.name(), signal.metrics()));
  }

  /** Whether discovery shows a family; what this program publishes of its own is not one. */
  public static boolean listed(String family) {
    return PREFIXES.stream().anyMatch(family::startsWith)
        && OURS.stream().noneMatch(family::startsWith)
        && of(family).isPresent();
  }

  /** Whether what the family measures is known here. */
  public static boolean isKnown(String family) {
    return KNOWN.containsKey(family);
  }

  /** A family that is known here, by its name in capitals or not. */
  static Optional<String> known(String name) {
    return KNOWN.keySet().stream().filter(name::equalsIgnoreCase).sorted().findFirst();
  }

  /** The feed that a family comes by; nothing for what cannot be a family's name. */
  public static Optional<Feed> of(String family) {
    if (family.length() > LONGEST_NAME || !NAME.matcher(family).matches()) {
      return Optional.empty();
    }
    return Optional.of(KNOWN.getOrDefault(family, new Feed(family, List.of(family))));
  }

  /**
   * Whether exporters publish it of devices, for whoever holds them; else pods tell of themselves.
   */
  public boolean ofDevices() {
    return EXPORTER_PREFIXES.stream().anyMatch(name::startsWith);
  }
}
