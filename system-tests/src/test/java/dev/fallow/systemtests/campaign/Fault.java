package dev.fallow.systemtests.campaign;

import java.util.random.RandomGenerator;

/** Something that goes wrong for a while. One fault can be started and healed many times. */
interface Fault {
  /** What reports call it. */
  String name();

  /** Lets it go wrong; the dice decide how, so that the same seed does the same. */
  void start(RandomGenerator dice);

  /** Makes it good again, whether or not it was started. */
  void heal();

  /** Whether anybody has felt it since it was started; may still be asked after it was healed. */
  boolean tookEffect();
}
