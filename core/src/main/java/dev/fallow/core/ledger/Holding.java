package dev.fallow.core.ledger;

import dev.fallow.core.fleet.Accelerators;
import dev.fallow.core.fleet.CardParts;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.DeviceFinding.State;
import dev.fallow.core.idle.DeviceId;
import dev.fallow.core.idle.PodFinding;
import dev.fallow.core.prune.Action;
import dev.fallow.core.prune.Decision;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * A device that a pod asked for and holds. The request says how many there are and whether they are
 * shared; the series only say which device it is and what it does. So a pod that shows too few
 * devices holds no less, and one that shows too many no more.
 *
 * @param team whose the workload is, empty if nobody says
 * @param spot whether the node is spare capacity
 * @param parts how much of a card the device is
 * @param shared the device that is split between all pods that hold it, if it is
 */
record Holding(
    ObjectId workload,
    GpuPod pod,
    String team,
    String model,
    boolean spot,
    int parts,
    Optional<DeviceId> shared,
    GpuState state) {

  /** No node has more devices; a larger number is somebody's joke. */
  private static final int MOST_DEVICES = 1024;

  /** Where a pod shows more than it asked for, what is active counts, then what is in doubt. */
  private static final List<State> TELLING =
      List.of(State.BUSY, State.SHARED_BUSY, State.NOT_COVERED, State.IDLE);

  private static final Comparator<DeviceFinding> MOST_TELLING_FIRST =
      Comparator.<DeviceFinding>comparingInt(device -> TELLING.indexOf(device.state()))
          .thenComparing(DeviceFinding::device);

  /** What the live pods of a workload hold. */
  static List<Holding> of(Decision decision, Look look) {
    List<Holding> holdings = new ArrayList<>();
    String team = look.teams().of(decision.assessment().workload());
    for (PodFinding pod : decision.assessment().pods()) {
      if (pod.pod().live() && pod.pod().node().isPresent()) {
        holdings.addAll(new Match(decision, pod, pod.pod().node().get(), team, look).holdings());
      }
    }
    return holdings;
  }

  private enum Sharing {
    NONE,
    /** One claim of several pods: they hold each of its devices together. */
    CLAIM,
    /** Parts of cards, by time-slicing or MPS: several of them may be of one card. */
    SLICES
  }

  /** One device that a pod asked for. */
  private record Wish(String profile, Sharing sharing) {}

  /** Finds the device for each wish of a pod. */
  private static final class Match {
    private final Decision decision;
    private final PodFinding finding;
    private final String node;
    private final String team;
    private final boolean spot;
    private final List<DeviceFinding> left;
    private final List<Wish> unmet;
    private final List<Holding> found = new ArrayList<>();
    private boolean slicesSeen;

    Match(Decision decision, PodFinding finding, String node, String team, Look look) {
      this.decision = decision;
      this.finding = finding;
      this.node = node;
      this.team = team;
      this.spot = look.spotNodes().contains(node);
      this.left = new ArrayList<>(finding.devices());
      this.left.sort(MOST_TELLING_FIRST);
      this.unmet = wishes(finding.pod().accelerators(), look.sharingNodes().contains(node));
    }

    private static List<Wish> wishes(Accelerators accelerators, boolean sharingNode) {
      List<Wish> wishes = new ArrayList<>();
      Map<String, Integer> sorted = new TreeMap<>(accelerators.byResource());
      sorted.forEach((resource, count) -> {
        Wish wish = new Wish(CardParts.profileOf(resource), sharing(resource, sharingNode));
        if (CardParts.isDevice(resource)) {
          wishes.addAll(Collections.nCopies(Math.min(count, MOST_DEVICES), wish));
        }
      });
      return wishes;
    }

    private static Sharing sharing(String resource, boolean sharingNode) {
      if (resource.equals(Accelerators.CLAIMED_TOGETHER)) {
        return Sharing.CLAIM;
      }
      boolean slices =
          resource.endsWith(".shared") || (sharingNode && resource.equals("nvidia.com/gpu"));
      return slices ? Sharing.SLICES : Sharing.NONE;
    }

    List<Holding> holdings() {
      meet(wish -> !wish.profile().isEmpty(), true);
      meet(wish -> true, false);
      missing();
      return found;
    }

    private void meet(Predicate<Wish> which, boolean sameProfile) {
      for (Wish wish : List.copyOf(unmet)) {
        left.stream()
            .filter(device -> which.test(wish))
            .filter(device -> !sameProfile || sameProfile(wish.profile(), device.migProfile()))
            .findFirst()
            .ifPresent(device -> {
              left.remove(device);
              unmet.remove(wish);
              slicesSeen |= wish.sharing() == Sharing.SLICES;
              found.add(held(wish, device));
            });
      }
    }

    /** Resource names spell {@code 1g.5gb+me} as {@code 1g.5gb.me}. */
    private static boolean sameProfile(String wished, String shown) {
      return wished.equals(shown.replace('+', '.'));
    }

    private Holding held(Wish wish, DeviceFinding device) {
      String profile = wish.profile().isEmpty() ? device.migProfile() : wish.profile();
      return holding(
          device.model(),
          CardParts.ofProfile(profile),
          wish.sharing() == Sharing.NONE ? Optional.empty() : Optional.of(device.device()),
          stateOf(device));
    }

    private GpuState stateOf(DeviceFinding device) {
      if (decision.action() == Action.KEEP) {
        return GpuState.KEPT;
      }
      if (device.state() == State.BUSY) {
        return GpuState.BUSY;
      }
      return decision.assessment().provesIdle(finding, device) ? GpuState.IDLE : GpuState.UNKNOWN;
    }

    /**
     * What was asked for and no series shows. Of slices, as many as one likes may be of a card that
     * is shown; if none is, all that share unseen on a node are taken to share one card, which
     * counts less than they hold rather than more.
     */
    private void missing() {
      int unseen = 0;
      for (Wish wish : unmet) {
        if (wish.sharing() == Sharing.SLICES && slicesSeen) {
          continue;
        }
        slicesSeen |= wish.sharing() == Sharing.SLICES;
        Optional<DeviceId> shared =
            wish.sharing() == Sharing.NONE
                ? Optional.empty()
                : Optional.of(new DeviceId(node, "", wish.profile() + "#" + unseen++));
        found.add(
            holding(
                found.stream().map(Holding::model).findFirst().orElse(""),
                CardParts.ofProfile(wish.profile()),
                shared,
                decision.action() == Action.KEEP ? GpuState.KEPT : GpuState.UNKNOWN));
      }
    }

    private Holding holding(String model, int parts, Optional<DeviceId> shared, GpuState state) {
      return new Holding(
          decision.assessment().workload().root(),
          finding.pod(),
          team,
          model,
          spot,
          parts,
          shared,
          state);
    }
  }
}
