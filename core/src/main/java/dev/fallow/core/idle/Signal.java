package dev.fallow.core.idle;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One thing that exporters measure of a device and that shows whether it works. The names are the
 * metric families that carry it, the present one first, then those of older exporters.
 */
public enum Signal {
  GR_ENGINE_ACTIVE(
      Scale.RATIO,
      "DCGM_FI_PROF_GR_ENGINE_ACTIVE",
      "dcgm_fi_prof_gr_engine_active",
      "dcgm_gr_engine_active"),
  SM_ACTIVE(Scale.RATIO, "DCGM_FI_PROF_SM_ACTIVE", "dcgm_fi_prof_sm_active", "dcgm_sm_active"),
  TENSOR_ACTIVE(
      Scale.RATIO,
      "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
      "dcgm_fi_prof_pipe_tensor_active",
      "dcgm_tensor_active"),
  DRAM_ACTIVE(
      Scale.RATIO, "DCGM_FI_PROF_DRAM_ACTIVE", "dcgm_fi_prof_dram_active", "dcgm_dram_active"),
  GPU_UTIL(Scale.PERCENT, "DCGM_FI_DEV_GPU_UTIL", "dcgm_gpu_utilization"),
  MEM_COPY_UTIL(Scale.PERCENT, "DCGM_FI_DEV_MEM_COPY_UTIL", "dcgm_mem_copy_utilization"),
  ENC_UTIL(Scale.PERCENT, "DCGM_FI_DEV_ENC_UTIL", "dcgm_enc_utilization"),
  DEC_UTIL(Scale.PERCENT, "DCGM_FI_DEV_DEC_UTIL", "dcgm_dec_utilization"),
  GFX_ACTIVITY(Scale.PERCENT, "gpu_gfx_activity", "amd_gpu_gfx_activity"),
  UMC_ACTIVITY(Scale.PERCENT, "gpu_umc_activity", "amd_gpu_umc_activity"),
  POWER(
      Scale.WATTS,
      "DCGM_FI_DEV_POWER_USAGE",
      "dcgm_power_usage",
      "gpu_power_usage",
      "gpu_package_power",
      "amd_gpu_power_usage",
      "amd_gpu_package_power");

  /** What a value of 1 means. */
  public enum Scale {
    RATIO(1, 1.005),
    PERCENT(100, 100.5),
    WATTS(Double.NaN, Double.MAX_VALUE);

    private final double full;

    /** Rounding in the exporter may lift a full device a little above full, and no further. */
    private final double most;

    Scale(double full, double most) {
      this.full = full;
      this.most = most;
    }

    /** The value that stands for a device in full use; there is none for watts. */
    public double full() {
      return full;
    }
  }

  /** Exporters write blanks as huge numbers; nothing that is measured here reaches this far. */
  private static final double BLANK = 0x1p31;

  private static final Map<String, Signal> BY_METRIC = new HashMap<>();

  static {
    for (Signal signal : values()) {
      signal.metrics.forEach(metric -> BY_METRIC.put(metric, signal));
    }
  }

  private final Scale scale;
  private final List<String> metrics;

  Signal(Scale scale, String... metrics) {
    this.scale = scale;
    this.metrics = List.of(metrics);
  }

  public static Optional<Signal> ofMetric(String metric) {
    return Optional.ofNullable(BY_METRIC.get(metric));
  }

  /** Those that can be the proof of idleness: the rest only ever prove activity. */
  public static Set<Signal> mains() {
    return EnumSet.of(GR_ENGINE_ACTIVE, GPU_UTIL, GFX_ACTIVITY);
  }

  public Scale scale() {
    return scale;
  }

  public List<String> metrics() {
    return metrics;
  }

  public boolean amd() {
    return this == GFX_ACTIVITY || this == UMC_ACTIVITY;
  }

  /**
   * Whether it is measured of whole cards alone: what exporters write for a MIG instance, or for a
   * part that an AMD card is cut into, is nothing, a zero, or the card's.
   */
  public boolean ofCardsOnly() {
    return switch (this) {
      case GPU_UTIL, MEM_COPY_UTIL, ENC_UTIL, DEC_UTIL, POWER -> true;
      case GR_ENGINE_ACTIVE, SM_ACTIVE, TENSOR_ACTIVE, DRAM_ACTIVE, GFX_ACTIVITY, UMC_ACTIVITY ->
          false;
    };
  }

  /** Whether a device can have this value at all. What it cannot have is evidence of nothing. */
  public boolean possible(double value) {
    return value >= 0 && value < BLANK && value <= scale.most;
  }
}
