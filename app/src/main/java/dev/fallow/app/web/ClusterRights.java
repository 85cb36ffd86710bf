package dev.fallow.app.web;

import dev.fallow.adapters.kubernetes.Reviews;
import dev.fallow.adapters.kubernetes.Reviews.Identity;
import dev.fallow.app.Remembered;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.server.JsonText;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Rights;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The rights that the cluster itself gives: to see a namespace takes the right to list its pods, to
 * change a workload the right to update it.
 */
public final class ClusterRights implements Rights {

  private static final Duration REMEMBERED = Duration.ofSeconds(60);
  private static final Duration REFUSAL_REMEMBERED = Duration.ofSeconds(30);
  private static final String EVERYWHERE = "";

  private final Reviews reviews;
  private final FleetBoard board;
  private final Remembered<Boolean> sights = new Remembered<>(50_000);

  public ClusterRights(Reviews reviews, FleetBoard board) {
    this.reviews = reviews;
    this.board = board;
  }

  @Override
  public boolean sees(Caller caller, String namespace) {
    // Who sees everything is asked about once, and not for each of a thousand namespaces.
    return mayList(caller, EVERYWHERE) || mayList(caller, namespace);
  }

  private boolean mayList(Caller caller, String namespace) {
    return sights.get(
        ClusterDoor.digest(
            JsonText.of(
                List.of(
                    caller.name(),
                    caller.uid(),
                    caller.groups(),
                    new TreeMap<>(caller.extra()),
                    namespace))),
        () -> reviews.mayListPods(identity(caller), namespace),
        may -> may ? REMEMBERED : REFUSAL_REMEMBERED);
  }

  @Override
  public boolean changes(Caller caller, String namespace, String kind, String name) {
    Optional<ObjectId> id = board.id(namespace, kind, name);
    return id.isPresent() && reviews.mayUpdate(identity(caller), id.get());
  }

  private static Identity identity(Caller caller) {
    return new Identity(caller.name(), caller.uid(), caller.groups(), caller.extra());
  }
}
