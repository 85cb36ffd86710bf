package dev.fallow.core.fleet;

import dev.fallow.core.Unavailable;
import java.util.Optional;

/** Where the picture of the cluster comes from. */
public interface ClusterReader {

  /**
   * @throws Unavailable when the picture cannot be had; half a picture is never given as a whole
   */
  ClusterState read();

  /**
   * A namespace as it is in this moment; nothing where it cannot be read by itself.
   *
   * @throws Unavailable when nobody can say now
   */
  default Optional<NamespaceFacts> namespaceNow(String name) {
    return Optional.empty();
  }
}
