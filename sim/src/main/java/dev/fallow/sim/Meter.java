package dev.fallow.sim;

import dev.fallow.core.idle.Signal;

/**
 * The number that an exporter shows of a signal while a device does some work. Work always lifts at
 * least one signal to the idle threshold; its absence lifts none.
 */
final class Meter {

  private Meter() {}

  static double read(Signal signal, Work work, SimDevice device, long millis) {
    double chance = Dice.unit(device.index() * 31L + signal.name().hashCode(), millis);
    GpuModel model = device.node().model();
    return switch (signal) {
      case GR_ENGINE_ACTIVE -> ratio(work, chance, 0.88, 0.99, 0.12, 0.62);
      case SM_ACTIVE -> ratio(work, chance, 0.70, 0.92, 0.08, 0.45);
      case TENSOR_ACTIVE -> ratio(work, chance, 0.28, 0.60, 0.02, 0.20);
      case DRAM_ACTIVE ->
          device.mig() && work == Work.COPYING
              ? rounded(between(chance, 0.02, 0.08))
              : ratio(work, chance, 0.35, 0.62, 0.05, 0.40);
      case GPU_UTIL, GFX_ACTIVITY -> percent(work, chance, 90, 100, 20, 85);
      case MEM_COPY_UTIL, UMC_ACTIVITY ->
          work == Work.COPYING
              ? Math.rint(between(chance, 3, 14))
              : percent(work, chance, 30, 62, 4, 40);
      case ENC_UTIL -> work == Work.ENCODING ? Math.rint(between(chance, 25, 70)) : 0;
      case DEC_UTIL -> work == Work.ENCODING ? Math.rint(between(chance, 10, 40)) : 0;
      // A partition other than the first has no power of its own, and its exporter writes a zero.
      case POWER -> model.amd() && device.partition() > 0 ? 0 : power(model, work, chance);
    };
  }

  /** What lies still or only copies leaves traces far below one percent now and then. */
  private static double ratio(
      Work work, double chance, double low, double high, double servingLow, double servingHigh) {
    return switch (work) {
      case TRAINING -> rounded(between(chance, low, high));
      case INFERENCE -> rounded(between(chance, servingLow, servingHigh));
      case NOTHING, COPYING, ENCODING -> chance < 0.9 ? 0 : rounded(0.004 * (1 - chance) / 0.1);
    };
  }

  private static double percent(
      Work work, double chance, double low, double high, double servingLow, double servingHigh) {
    return switch (work) {
      case TRAINING -> Math.rint(between(chance, low, high));
      case INFERENCE -> Math.rint(between(chance, servingLow, servingHigh));
      case NOTHING, COPYING, ENCODING -> 0;
    };
  }

  private static double power(GpuModel model, Work work, double chance) {
    double share =
        switch (work) {
          case NOTHING -> 0.02 * chance;
          case TRAINING -> between(chance, 0.70, 0.96);
          case INFERENCE -> between(chance, 0.20, 0.60);
          case COPYING -> between(chance, 0.05, 0.10);
          case ENCODING -> between(chance, 0.10, 0.25);
        };
    double watts = model.idleWatts() + share * (model.fullWatts() - model.idleWatts());
    return Math.rint(watts * 1000) / 1000;
  }

  private static double between(double chance, double low, double high) {
    return low + chance * (high - low);
  }

  private static double rounded(double value) {
    return Math.rint(value * 1e6) / 1e6;
  }
}
