package dev.fallow.app.command;

import dev.fallow.app.WrongUse;
import dev.fallow.core.fleet.ObjectId;
import java.util.Locale;
import java.util.Map;

/**
 * A workload as kubectl users name it: {@code deploy/x}, {@code statefulsets/x}, {@code
 * notebook.kubeflow.org/x}.
 */
record WorkloadName(String kind, String group, String name) {

  private static final Map<String, String> SHORT =
      Map.of(
          "deploy", "deployment",
          "sts", "statefulset",
          "rs", "replicaset",
          "po", "pod",
          "cj", "cronjob",
          "ds", "daemonset",
          "isvc", "inferenceservice",
          "lws", "leaderworkerset",
          "ro", "rollout",
          "nb", "notebook");

  static WorkloadName parse(String text) {
    int slash = text.indexOf('/');
    if (slash <= 0 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
      throw new WrongUse(
          "\"" + text + "\" names no workload; it takes KIND/NAME, such as deploy/trainer");
    }
    String type = text.substring(0, slash).toLowerCase(Locale.ROOT);
    int dot = type.indexOf('.');
    String kind = dot < 0 ? type : type.substring(0, dot);
    return new WorkloadName(
        SHORT.getOrDefault(kind, kind),
        dot < 0 ? "" : type.substring(dot + 1),
        text.substring(slash + 1));
  }

  boolean names(ObjectId id) {
    String singular = id.kind().toLowerCase(Locale.ROOT);
    boolean ofKind =
        kind.equals(singular)
            || kind.equals(singular + "s")
            || kind.equals(singular + "es")
            || (singular.endsWith("y")
                && kind.equals(singular.substring(0, singular.length() - 1) + "ies"));
    // A group may be written with its version in front, as in v1beta1.serving.kserve.io.
    boolean ofGroup =
        group.isEmpty() || group.equals(id.group()) || group.endsWith("." + id.group());
    return ofKind && ofGroup && name.equals(id.name());
  }

  @Override
  public String toString() {
    return kind + (group.isEmpty() ? "" : "." + group) + "/" + name;
  }
}
