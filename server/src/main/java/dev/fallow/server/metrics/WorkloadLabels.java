package dev.fallow.server.metrics;

import dev.fallow.core.fleet.ObjectId;
import java.util.List;

/** How a workload's series name it. One that was deleted and made anew keeps them. */
record WorkloadLabels(String kind, String namespace, String name) {

  static final WorkloadLabels OTHER =
      new WorkloadLabels(BoundedLabel.OTHER, BoundedLabel.OTHER, BoundedLabel.OTHER);

  static final String[] NAMES = {"kind", "namespace", "name"};

  static WorkloadLabels of(ObjectId workload) {
    return new WorkloadLabels(
        BoundedLabel.clean(workload.qualifiedKind()),
        BoundedLabel.clean(workload.namespace()),
        BoundedLabel.clean(workload.name()));
  }

  static WorkloadLabels of(List<String> values) {
    return new WorkloadLabels(values.get(0), values.get(1), values.get(2));
  }

  String[] values() {
    return new String[] {kind, namespace, name};
  }

  String[] valuesAnd(String more) {
    return new String[] {kind, namespace, name, more};
  }
}
