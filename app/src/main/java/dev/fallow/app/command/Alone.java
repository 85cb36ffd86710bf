package dev.fallow.app.command;

import dev.fallow.app.prune.Pruner;

/** Leads because it is the only one: a single run. */
enum Alone implements Pruner.Leadership {
  INSTANCE;

  @Override
  public boolean leads() {
    return true;
  }

  @Override
  public String epoch() {
    return "once-" + ProcessHandle.current().pid();
  }
}
