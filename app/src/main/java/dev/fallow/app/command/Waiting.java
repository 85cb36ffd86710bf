package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.core.Unavailable;
import dev.fallow.core.fleet.GpuPod;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.ownership.OwnerResolver;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** Shows a person how pods go or come. */
final class Waiting {

  private static final Duration STEP = Duration.ofSeconds(1);

  private Waiting() {}

  static void untilGone(Console console, LiveCluster cluster, Workload workload) {
    until(console, cluster, workload.root(), "pods left", pods -> pods.isEmpty());
  }

  static void untilThere(Console console, LiveCluster cluster, ObjectId root) {
    until(
        console,
        cluster,
        root,
        "pods there",
        pods ->
            !pods.isEmpty() && pods.stream().allMatch(pod -> pod.phase() == GpuPod.Phase.RUNNING));
  }

  private static void until(
      Console console,
      LiveCluster cluster,
      ObjectId root,
      String what,
      Predicate<List<GpuPod>> reached) {
    long end = System.nanoTime() + PauseCommand.PATIENCE.toNanos();
    while (true) {
      List<GpuPod> pods =
          OwnerResolver.workloadsOf(cluster.read()).stream()
              .filter(workload -> workload.root().equals(root))
              .flatMap(workload -> workload.pods().stream())
              .toList();
      if (reached.test(pods)) {
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
