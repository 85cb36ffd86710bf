package dev.fallow.rig;

/** The servers that make up a cluster. */
public enum Part {
  ETCD,
  API_SERVER,
  CONTROLLER_MANAGER,
  SCHEDULER,
  KWOK;

  /** The name of its process and log. */
  String label() {
    return switch (this) {
      case ETCD -> "etcd";
      case API_SERVER -> "apiserver";
      case CONTROLLER_MANAGER -> "controller-manager";
      case SCHEDULER -> "scheduler";
      case KWOK -> "kwok";
    };
  }
}
