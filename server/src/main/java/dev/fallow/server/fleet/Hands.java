package dev.fallow.server.fleet;

import dev.fallow.core.acknowledge.Keep;
import dev.fallow.core.acknowledge.KeepTerm;
import dev.fallow.server.access.Caller;

/**
 * Does what somebody asks for, who has been admitted. Each throws {@link
 * dev.fallow.server.Rejected} with the refusal's reason where it cannot be done, and {@link
 * dev.fallow.core.Unavailable} where the cluster does not answer.
 */
public interface Hands {

  /**
   * @return the keep that stands now
   */
  Keep keep(WorkloadItem item, KeepTerm term, String reason, Caller caller);

  /** Ends the keep on a workload; refused where one on an object below it goes on. */
  void endKeep(WorkloadItem item, Caller caller);

  void pause(WorkloadItem item, String reason, Caller caller);

  void resume(WorkloadItem item, Caller caller);
}
