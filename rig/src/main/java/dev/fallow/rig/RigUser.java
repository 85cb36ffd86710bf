package dev.fallow.rig;

import java.util.List;
import java.util.UUID;

/** Somebody whom the API server knows by a bearer token. */
record RigUser(String name, String token, List<String> groups) {
  static final String ADMIN = "rig-admin";
  static final String CONTROLLER_MANAGER = "system:kube-controller-manager";
  static final String SCHEDULER = "system:kube-scheduler";
  static final String KWOK = "rig-kwok";
  private static final String MASTERS = "system:masters";

  RigUser(String name, List<String> groups) {
    this(name, UUID.randomUUID().toString(), List.copyOf(groups));
  }

  /**
   * The rig's own users. Each server has a name of its own, so that in the audit log the work of
   * the cluster can be told from that of the program under test.
   */
  static List<RigUser> own() {
    return List.of(
        new RigUser(ADMIN, List.of(MASTERS)),
        new RigUser(CONTROLLER_MANAGER, List.of()),
        new RigUser(SCHEDULER, List.of()),
        new RigUser(KWOK, List.of(MASTERS)));
  }

  /** A line of the API server's token file. */
  String tokenFileLine() {
    return "%s,%s,%s,\"%s\"\n".formatted(token, name, name, String.join(",", groups));
  }
}
