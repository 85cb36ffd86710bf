package dev.fallow.server.autoscale;

import dev.fallow.core.Unavailable;
import dev.fallow.server.fleet.WorkloadItem;
import java.util.List;
import java.util.Map;

/** Where a workload's autoscalers come from. */
public interface AutoscalerSource {

  /** Where nothing scales anything. */
  AutoscalerSource NONE = item -> List.of();

  /**
   * What each autoscaler of a workload, or of an object below its root, makes of the numbers of
   * now, as {@code fallow hpa explain -o json} writes it.
   *
   * @throws Unavailable if they cannot be read, or not what they go by
   */
  List<Map<String, Object>> of(WorkloadItem item);
}
