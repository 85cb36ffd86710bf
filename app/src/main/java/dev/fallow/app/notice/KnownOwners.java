package dev.fallow.app.notice;

import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.NamespaceFacts;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.notice.Address;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Whom each workload concerns, as far as the looks so far have told: what is done to a workload is
 * told to whoever was named for it last.
 */
final class KnownOwners {

  private final Recipients recipients;
  private final Map<String, List<Address>> lastKnown = new ConcurrentHashMap<>();
  private volatile Map<String, NamespaceFacts> namespaces = Map.of();

  KnownOwners(Recipients recipients) {
    this.recipients = recipients;
  }

  /** Learns from a look. */
  void look(ClusterState cluster) {
    Map<String, NamespaceFacts> seen = new HashMap<>();
    cluster.namespaces().forEach(one -> seen.put(one.name(), one));
    namespaces = seen;
  }

  /** Forgets all but these workloads, and learns of those that bear marks of ours. */
  void retain(Set<String> uids, List<OwnerObject> marked) {
    lastKnown.keySet().retainAll(uids);
    for (OwnerObject owner : marked) {
      lastKnown.computeIfAbsent(
          owner.workload().uid(),
          uid -> found(owner.id().namespace(), Stream.of(owner.annotations())));
    }
  }

  /** Who is named for a workload now. */
  Recipients.Found named(Workload workload) {
    Recipients.Found found = recipients.of(workload, namespace(workload.namespace()));
    lastKnown.put(workload.root().uid(), found.addresses());
    return found;
  }

  /** Whom it concerns what is done to a workload. */
  List<Address> of(ObjectId workload) {
    List<Address> known = lastKnown.get(workload.uid());
    return known != null ? known : found(workload.namespace(), Stream.of());
  }

  /** Who was told of a workload, whose notice is taken back. */
  List<Address> forget(ObjectId workload) {
    List<Address> known = lastKnown.remove(workload.uid());
    return known == null ? List.of() : known;
  }

  /** What is known of a namespace since the last look. */
  Optional<NamespaceFacts> namespace(String name) {
    return Optional.ofNullable(namespaces.get(name));
  }

  private List<Address> found(String namespace, Stream<Map<String, String>> written) {
    return recipients.of(namespace, written, namespace(namespace)).addresses();
  }
}
