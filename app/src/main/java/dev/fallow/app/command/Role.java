package dev.fallow.app.command;

import dev.fallow.app.command.CommandBuilder.Call;
import dev.fallow.app.settings.Settings;

/**
 * A part of the daemon that runs beside the others, or alone in a process of its own under a
 * smaller account. A new one is added to {@link ServeCommand#ROLES}.
 */
interface Role {

  /** As {@code --only} names it. */
  String name();

  /** Whether it runs where nobody names a part. */
  boolean switchedOn(Settings settings);

  /** Begins, and returns; it ends when what it returns is closed. */
  AutoCloseable start(Call call, LiveCluster cluster);
}
