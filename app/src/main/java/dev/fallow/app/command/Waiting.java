package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.ownership.OwnerResolver;
import java.time.Duration;
import java.util.List;
import java.util.function.BiPredicate;

/** Shows a person how pods go or come. */
final class Waiting {

  private static final Duration STEP = Duration.ofSeconds(1);

  private Waiting() {}

  static void untilGone(Console console, LiveCluster cluster, Workload workload) {
    until(console, cluster, workload.root(), "pods left", (pods, wanted) -> pods.isEmpty());
  }

  static void untilThere(Console console, LiveCluster cluster, ObjectId root) {
    until(
        console,
        cluster,
        root,
        "pods there",
        (pods, wanted) ->
            pods.size() >= wanted
                && pods.stream().allMatch(pod -> pod.phase() == GpuPod.Phase.RUNNING));
  }

  private static void until(
      Console console,
      LiveCluster cluster,
      ObjectId root,
      String what,
      BiPredicate<List<GpuPod>, Long> reached) {
    long end = System.nanoTime() + PauseCommand.PATIENCE.toNanos();
    while (true) {
      List<Workload> found =
          OwnerResolver.workloadsOf(cluster.readOne()).stream()
              .filter(workload -> workload.root().equals(root))
              .toList();
      List<GpuPod> pods = found.stream().flatMap(workload -> workload.pods().stream()).toList();
      // Where replicas are counted otherwise, one pod has to do.
      long wanted =
          found.stream()
              .flatMap(workload -> workload.rootObject().stream())
              .flatMapToLong(owner -> owner.replicas().stream())
              .findFirst()
              .orElse(1);
      if (reached.test(pods, Math.max(1, wanted))) {
        console.progressDone();
        return;
      }
      if (System.nanoTime() > end) {
        throw new Unavailable(
            "kubernetes", root + ": " + pods.size() + " " + what + " after ten minutes", true);
      }
      console.progress(root + ": " + pods.size() + " " + what);
      try {
        Thread.sleep(STEP);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }
}
