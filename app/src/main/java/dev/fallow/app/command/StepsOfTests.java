package dev.fallow.app.command;

import dev.fallow.core.prune.Step;

/** Who is told of the steps of an action: nobody, but in tests that end the process at one. */
public final class StepsOfTests {

  @SuppressWarnings("ConstantField") // set once, by a test's own main, before anything runs
  static volatile Step.Observer OBSERVER = Step.Observer.NONE;

  private StepsOfTests() {}

  public static void observe(Step.Observer observer) {
    OBSERVER = observer;
  }
}
