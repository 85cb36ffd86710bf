package dev.fallow.core.fleet;

import dev.fallow.core.Unavailable;

/** Where the picture of the cluster comes from. */
public interface ClusterReader {

  /**
   * @throws Unavailable when the picture cannot be had; half a picture is never given as a whole
   */
  ClusterState read();
}
