package dev.fallow.sim;

import dev.fallow.core.idle.Signal;
import java.util.EnumSet;
import java.util.Set;

/** A model of card: how exporters and node labels spell it, and what can be measured of it. */
public enum GpuModel {
  A100("NVIDIA A100-SXM4-80GB", "p4de.24xlarge", 81920, 60, 400, true),
  H100("NVIDIA H100 80GB HBM3", "p5.48xlarge", 81559, 70, 700, true),
  L4("NVIDIA L4", "g6.12xlarge", 23034, 16, 72, true),
  T4("Tesla T4", "g4dn.12xlarge", 15360, 10, 70, false),
  MI300X("AMD Instinct MI300X OAM", "nd96is-mi300x", 196592, 130, 750, false);

  private final String spelling;
  private final String instanceType;
  private final int memoryMiB;
  private final int idleWatts;
  private final int fullWatts;
  private final boolean profiled;

  GpuModel(
      String spelling,
      String instanceType,
      int memoryMiB,
      int idleWatts,
      int fullWatts,
      boolean profiled) {
    this.spelling = spelling;
    this.instanceType = instanceType;
    this.memoryMiB = memoryMiB;
    this.idleWatts = idleWatts;
    this.fullWatts = fullWatts;
    this.profiled = profiled;
  }

  /** As the exporter writes it. */
  public String spelling() {
    return spelling;
  }

  /** As feature discovery labels a node with it: no spaces. */
  public String product() {
    return spelling.replace(' ', '-');
  }

  public String instanceType() {
    return instanceType;
  }

  public int memoryMiB() {
    return memoryMiB;
  }

  int idleWatts() {
    return idleWatts;
  }

  int fullWatts() {
    return fullWatts;
  }

  public boolean amd() {
    return this == MI300X;
  }

  /** The signals an exporter has of such a card, or of a MIG instance on it. */
  public Set<Signal> signals(boolean mig) {
    if (amd()) {
      return EnumSet.of(Signal.GFX_ACTIVITY, Signal.UMC_ACTIVITY, Signal.POWER);
    }
    Set<Signal> signals = EnumSet.of(Signal.POWER);
    if (profiled) {
      signals.addAll(
          EnumSet.of(
              Signal.GR_ENGINE_ACTIVE, Signal.SM_ACTIVE, Signal.TENSOR_ACTIVE, Signal.DRAM_ACTIVE));
    }
    if (!mig) {
      signals.addAll(
          EnumSet.of(Signal.GPU_UTIL, Signal.MEM_COPY_UTIL, Signal.ENC_UTIL, Signal.DEC_UTIL));
    }
    return signals;
  }
}
