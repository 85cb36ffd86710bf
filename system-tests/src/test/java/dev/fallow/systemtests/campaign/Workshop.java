package dev.fallow.systemtests.campaign;

import java.util.random.RandomGenerator;

/**
 * Where the product runs under faults: a cluster, workloads with a ground truth, the product's
 * processes, and clients that get in its way. What is done here depends on the product; what is
 * made of it does not.
 */
public interface Workshop {
  /** A fresh beginning: known workloads, no leftovers, the product running and well. */
  void reset(RandomGenerator dice);

  /**
   * Keeps the product and its users busy for a while and returns: GPUs begin and stop to work,
   * keeps are asked for. Called while faults are on, and once after they were healed.
   */
  void traffic(RandomGenerator dice);

  /** Starts again whatever the faults may have ended, the product's processes too. */
  void heal();

  /** Waits until the product has come to rest: as long as promises allow it, and no longer. */
  void quiesce();

  /** All that was seen since {@link #reset}; what the faults know themselves is added to it. */
  Evidence evidence();

  /** What the product was told. */
  RunSettings settings();
}
