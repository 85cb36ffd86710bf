package dev.fallow.core.prune;

import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What keeps one bad day from emptying a cluster. Each limit may be absent: a case judges without
 * those that it does not name.
 *
 * @param pausesPerCycle how many workloads one cycle may pause
 * @param sharePerNamespace which share of a namespace's GPU workloads an hour may pause; one always
 * @param fleetCoverage which share of the fleet's devices has to be covered by samples
 * @param idleShare which share of the workloads that worked in the window before may be idle in
 *     this one
 */
public record Limits(
    OptionalInt pausesPerCycle,
    OptionalDouble sharePerNamespace,
    OptionalDouble fleetCoverage,
    OptionalDouble idleShare) {

  public static final Limits NONE =
      new Limits(
          OptionalInt.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty(),
          OptionalDouble.empty());
}
