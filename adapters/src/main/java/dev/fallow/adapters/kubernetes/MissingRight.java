package dev.fallow.adapters.kubernetes;

/** Says what goes missing with a right that the account does not have. */
final class MissingRight {

  private MissingRight() {}

  /** A kind that cannot be read, with the server's own words, the loss and the cure. */
  static String toRead(ResourceKind kind, ApiRefusal refusal) {
    return kind.resource()
        + " cannot be read ("
        + refusal.getMessage()
        + "), so "
        + loss(kind.resource())
        + "; grant get, list and watch on it";
  }

  private static String loss(String resource) {
    return switch (resource) {
      case "namespaces" -> "annotations on namespaces count as absent";
      case "services" -> "there are no numbers of Services";
      case "nodes" -> "GPU models, prices and sharing by node are unknown";
      case "resourceclaims.resource.k8s.io" -> "each claim of a pod counts as one device";
      case "scaledobjects.keda.sh" -> "what KEDA scales is not known and KEDA may undo a pause";
      case "workloadstates.fallow.dev" ->
          "an InferenceService is neither paused nor, once it is paused, seen";
      default -> "what it owns is not paused, and what is paused of it is not seen";
    };
  }
}
