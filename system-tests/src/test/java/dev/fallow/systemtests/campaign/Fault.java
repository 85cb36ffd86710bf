package dev.fallow.systemtests.campaign;

import java.util.List;
import java.util.random.RandomGenerator;

/** Something that goes wrong for a while. One fault can be started and healed many times. */
public interface Fault {
  /** What reports call it. */
  String name();

  /** Faults of one group are never on together: they could not be healed one by one. */
  default String group() {
    return name();
  }

  /** Lets it go wrong; the dice decide how, so that the same seed does the same. */
  void start(RandomGenerator dice);

  /** Makes it good again, whether or not it was started. */
  void heal();

  /** Whether anybody has felt it since it was started; may still be asked after it was healed. */
  boolean tookEffect();

  /**
   * Whether nobody has felt it yet and somebody may, if it is left on for longer; one that is felt
   * only by its end, or never by waiting, says no.
   */
  default boolean waitsForPrey() {
    return false;
  }

  /** What it did in particular, for a tally over many iterations. */
  default List<String> effects() {
    return List.of(name());
  }

  /** When, since it was started, evidence was not to be trusted on its account. */
  default List<Darkness> dark() {
    return List.of();
  }

  /** When, since it was started, the API server may have done what it did not write down. */
  default List<Span> blind() {
    return List.of();
  }
}
