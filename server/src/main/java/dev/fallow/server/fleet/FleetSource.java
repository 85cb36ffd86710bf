package dev.fallow.server.fleet;

import java.util.Map;
import java.util.Optional;

/** Where the picture of the cluster comes from. */
public interface FleetSource {

  FleetPicture picture();

  /** The evidence behind a workload's verdict, if it has one. */
  Optional<Map<String, Object>> why(WorkloadItem item);
}
