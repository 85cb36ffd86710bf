package dev.fallow.server.fleet;

import dev.fallow.server.access.Caller;
import java.time.Instant;
import java.util.function.UnaryOperator;

/**
 * Does what somebody asks for, who has been admitted. Each throws {@link
 * dev.fallow.server.Rejected} with the refusal's reason where it cannot be done, and {@link
 * dev.fallow.core.Unavailable} where the cluster does not answer.
 */
public interface Hands {

  /**
   * @param until the end of the keep, by the moment in which it begins
   */
  void keep(WorkloadItem item, UnaryOperator<Instant> until, String reason, Caller caller);

  void endKeep(WorkloadItem item, Caller caller);

  void pause(WorkloadItem item, String reason, Caller caller);

  void resume(WorkloadItem item, Caller caller);
}
