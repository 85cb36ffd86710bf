package dev.fallow.server.metricsapi;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** An API that autoscalers read, with the versions of it that are spoken; the best comes last. */
public enum MetricsGroup {
  CUSTOM("custom.metrics.k8s.io", List.of("v1beta1", "v1beta2")),
  EXTERNAL("external.metrics.k8s.io", List.of("v1beta1"));

  private final String group;
  private final List<String> versions;

  MetricsGroup(String group, List<String> versions) {
    this.group = group;
    this.versions = versions;
  }

  public String group() {
    return group;
  }

  public List<String> versions() {
    return versions;
  }

  static Optional<MetricsGroup> named(String group) {
    return Arrays.stream(values()).filter(one -> one.group.equals(group)).findFirst();
  }
}
