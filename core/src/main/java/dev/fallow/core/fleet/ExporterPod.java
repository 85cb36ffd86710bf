package dev.fallow.core.fleet;

/** A pod without accelerators that may be an exporter: it tells on which node its series arose. */
public record ExporterPod(String namespace, String name, String node) {

  public static ExporterPod of(ObjectTree pod) {
    return new ExporterPod(
        pod.textOr("", "metadata", "namespace"),
        pod.textOr("", "metadata", "name"),
        pod.textOr("", "spec", "nodeName"));
  }
}
