package dev.fallow.core.fleet;

/**
 * A pod without accelerators that may be an exporter: it tells on which node its series arose.
 *
 * @param live whether it has neither finished nor is on its way out
 */
public record ExporterPod(String namespace, String name, String node, boolean live) {

  public static ExporterPod of(ObjectTree pod) {
    String phase = pod.textOr("", "status", "phase");
    return new ExporterPod(
        pod.textOr("", "metadata", "namespace"),
        pod.textOr("", "metadata", "name"),
        pod.textOr("", "spec", "nodeName"),
        !phase.equals("Succeeded")
            && !phase.equals("Failed")
            && pod.text("metadata", "deletionTimestamp").isEmpty());
  }
}
