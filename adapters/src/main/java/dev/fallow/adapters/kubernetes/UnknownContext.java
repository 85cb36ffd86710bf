package dev.fallow.adapters.kubernetes;

/**
 * Somebody asked for a context that the kubeconfig does not have. The message names those it has.
 */
public final class UnknownContext extends RuntimeException {

  UnknownContext(String message) {
    super(message);
  }
}
