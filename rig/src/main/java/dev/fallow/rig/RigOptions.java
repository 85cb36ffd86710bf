package dev.fallow.rig;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What kind of cluster is wanted.
 *
 * @param parts the servers to start
 * @param users users beyond the rig's own
 * @param controllers the controller-manager's list of what to run
 * @param durable whether etcd waits for the disk, as fault tests need
 * @param endless whether pods of Jobs run on; KWOK lets them be done at once otherwise
 * @param crds whether the custom kinds of GPU workloads are defined
 * @param flags more flags for a server; a later flag wins over an earlier one
 */
record RigOptions(
    Set<Part> parts,
    List<RigUser> users,
    AuditLevel auditLevel,
    String controllers,
    boolean durable,
    boolean endless,
    boolean crds,
    Map<Part, List<String>> flags) {
  List<String> flags(Part part) {
    return flags.getOrDefault(part, List.of());
  }
}
