package dev.fallow.adapters.kubernetes;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * How to find the cluster.
 *
 * @param kubeconfig the one file to look into; without it, those kubectl would look into
 * @param context the context to use; without it, the current one
 * @param version of this program, for the API server's logs
 * @param environment the process's variables
 */
public record ConnectionOptions(
    Optional<Path> kubeconfig,
    Optional<String> context,
    String version,
    Map<String, String> environment) {

  public ConnectionOptions {
    environment = Map.copyOf(environment);
  }

  /** With the variables of this process. */
  public static ConnectionOptions of(
      Optional<Path> kubeconfig, Optional<String> context, String version) {
    return new ConnectionOptions(kubeconfig, context, version, System.getenv());
  }
}
