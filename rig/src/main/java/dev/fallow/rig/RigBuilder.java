package dev.fallow.rig;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Says what kind of cluster is wanted. Without further words it is etcd and an API server: objects
 * can be stored and nothing else ever touches them.
 */
public final class RigBuilder {
  private final Set<Part> parts = EnumSet.of(Part.ETCD, Part.API_SERVER);
  private final List<RigUser> users = new ArrayList<>();
  private final Map<Part, List<String>> flags = new EnumMap<>(Part.class);
  private AuditLevel auditLevel = AuditLevel.METADATA;
  private boolean nodeLifecycle;
  private boolean garbageCollection = true;
  private boolean durable;
  private boolean endless;
  private boolean crds;

  RigBuilder() {}

  /** With controllers, scheduler and KWOK: pods come to life. */
  public RigBuilder everything() {
    return controllers().scheduler().kwok();
  }

  /** With the controller-manager, except for what judges nodes by their heartbeats. */
  public RigBuilder controllers() {
    parts.add(Part.CONTROLLER_MANAGER);
    return this;
  }

  /** With the controllers that taint and evict by heartbeat; wants KWOK, which sends those. */
  public RigBuilder nodeLifecycle() {
    nodeLifecycle = true;
    return controllers();
  }

  /** Objects whose owners never existed stay. */
  public RigBuilder withoutGarbageCollection() {
    garbageCollection = false;
    return controllers();
  }

  public RigBuilder scheduler() {
    parts.add(Part.SCHEDULER);
    return this;
  }

  public RigBuilder kwok() {
    parts.add(Part.KWOK);
    return this;
  }

  /** A user without any rights of its own, for tests to bind roles to. */
  public RigBuilder user(String name, String... groups) {
    users.add(new RigUser(name, List.of(groups)));
    return this;
  }

  /** How much the audit log holds; without a word, who asked for what. */
  public RigBuilder audit(AuditLevel level) {
    auditLevel = level;
    return this;
  }

  /** Lets pods of Jobs run on; without it KWOK has them done as soon as they run. */
  public RigBuilder endlessJobs() {
    endless = true;
    return this;
  }

  /** Makes etcd wait for the disk; for tests in which processes are killed. */
  public RigBuilder durable() {
    durable = true;
    return this;
  }

  /** With the custom kinds that GPU workloads come in; see {@link Rig#installCrds}. */
  public RigBuilder withCrds() {
    crds = true;
    return this;
  }

  /** One more flag for a server, such as {@code --feature-gates=...}. */
  public RigBuilder flag(Part part, String flag) {
    flags.computeIfAbsent(part, any -> new ArrayList<>()).add(flag);
    return this;
  }

  /** Starts the cluster and waits until all of it is ready. */
  public Rig start() {
    return Rig.start(
        RigBinaries.locate(),
        new RigOptions(
            parts,
            List.copyOf(users),
            auditLevel,
            controllerList(),
            durable,
            endless,
            crds,
            flags));
  }

  private String controllerList() {
    List<String> list = new ArrayList<>(List.of("*"));
    if (!nodeLifecycle) {
      list.addAll(List.of("-node-lifecycle-controller", "-taint-eviction-controller"));
    }
    if (!garbageCollection) {
      list.add("-garbage-collector-controller");
    }
    return String.join(",", list);
  }
}
