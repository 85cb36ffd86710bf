package dev.fallow.server.access;

/**
 * What somebody whose name is known may see and change. May throw {@link
 * dev.fallow.core.Unavailable} when nobody can be asked.
 */
public interface Rights {

  /** In the place of a namespace: every one there is, and every one there will be. */
  String EVERYWHERE = "";

  /** Whether somebody may see what is in a namespace. */
  boolean sees(Caller caller, String namespace);

  /**
   * Whether somebody may change an object.
   *
   * @param kind as workloads are written: {@code Deployment}, {@code RayCluster.ray.io}
   */
  boolean changes(Caller caller, String namespace, String kind, String name);
}
