package dev.fallow.bench;

import dev.fallow.rig.Rig;
import dev.fallow.rig.RigPrometheus;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Lets the daemon prune a living fleet with a cycle every five seconds, and looks whether it grows.
 * The first third of the looks is left out: that is the time in which classes are loaded and code
 * is compiled. Through the others the straight line is laid that is nearest to them; the soak fails
 * if one of the lines rises by more than its allowance from its begin to its end.
 */
public final class Soak {

  private static final Duration STEP = Duration.ofSeconds(5);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(30);
  private static final Duration CYCLE_LIMIT = Duration.ofMinutes(1);
  private static final int STEPS_BETWEEN_RESUMES = 6;

  private Soak() {}

  /**
   * @param liveKiB what is left on the heap right after a collection, which is asked for
   */
  private record Look(Vitals vitals, long liveKiB) {}

  /** What is watched, and how far its line may rise. */
  private record Watched(String name, ToDoubleFunction<Look> value, double allowance) {}

  private static final List<Watched> WATCHED =
      List.of(
          new Watched("resident MiB", look -> look.vitals().residentKiB() / 1024.0, 8),
          new Watched("live heap MiB", look -> look.liveKiB() / 1024.0, 3),
          new Watched("threads", look -> look.vitals().threads(), 2),
          new Watched("handles", look -> look.vitals().handles(), 3));

  /**
   * @param arguments the minutes that it lasts
   */
  public static void main(String... arguments) throws Exception {
    if (!isFlat(Duration.ofMinutes(Integer.parseInt(arguments[0])))) {
      System.out.println("soak: FAILED, it grows");
      System.exit(1);
    }
  }

  private static boolean isFlat(Duration length) throws Exception {
    try (Rig rig = Rig.builder().everything().start();
        RigPrometheus prometheus =
            RigPrometheus.builder().flag("--web.enable-remote-write-receiver").start()) {
      SoakFleet fleet = new SoakFleet(rig, prometheus.url());
      fleet.create();
      Progress.say("the fleet is there");
      try (Daemon daemon = Daemon.start(flags(rig, prometheus))) {
        List<Look> looks = watch(daemon, fleet, length);
        System.out.printf(
            "soak: %d cycles in %d minutes, %.0f pauses, %d switched on again%n",
            daemon.cycles().count(),
            length.toMinutes(),
            daemon.sum("gpu_pruner_scale_successes_total"),
            fleet.resumed());
        return report(looks);
      }
    }
  }

  /** A window of a minute, and no limit but the plausibility of the fleet as a whole. */
  private static List<String> flags(Rig rig, RigPrometheus prometheus) {
    return List.of(
        "--kubeconfig",
        rig.kubeconfig().toString(),
        "--prometheus-url",
        prometheus.url().toString(),
        "--run-mode=scale-down",
        "--check-interval=" + STEP.toSeconds(),
        "--duration=60s",
        "--grace-period=10",
        "--max-share-per-namespace=100%");
  }

  private static List<Look> watch(Daemon daemon, SoakFleet fleet, Duration length)
      throws IOException, InterruptedException {
    List<Look> looks = new ArrayList<>();
    long begin = System.nanoTime();
    long nextLook = begin + BETWEEN_LOOKS.toNanos();
    for (int step = 0; System.nanoTime() - begin < length.toNanos(); step++) {
      long now = System.currentTimeMillis();
      int running = fleet.step(now);
      if (step % STEPS_BETWEEN_RESUMES == 0) {
        fleet.resumeSome();
      }
      if (System.nanoTime() >= nextLook) {
        // Between two cycles, since within one it holds the picture of the whole fleet twice.
        daemon.awaitCycles(daemon.cycles().count() + 1, CYCLE_LIMIT);
        Look look = new Look(daemon.vitals(), liveKiB(daemon.pid()));
        looks.add(look);
        nextLook += BETWEEN_LOOKS.toNanos();
        Progress.say(
            "%d pods; %d MiB resident, %d MiB live, %d threads, %d handles; %d cycles"
                .formatted(
                    running,
                    look.vitals().residentKiB() / 1024,
                    look.liveKiB() / 1024,
                    look.vitals().threads(),
                    look.vitals().handles(),
                    daemon.cycles().count()));
      }
      Thread.sleep(Math.max(0, now + STEP.toMillis() - System.currentTimeMillis()));
    }
    return looks;
  }

  private static boolean report(List<Look> looks) {
    List<Look> late = looks.subList(looks.size() / 3, looks.size());
    boolean flat = true;
    for (Watched watched : WATCHED) {
      double[] values = late.stream().mapToDouble(watched.value()).toArray();
      double rise = rise(values);
      boolean grows = rise > watched.allowance();
      flat &= !grows;
      System.out.printf(
          "soak, %s: %.1f at first, %.1f at last, line rises by %.1f (allowed %.0f)%s%n",
          watched.name(),
          values[0],
          values[values.length - 1],
          rise,
          watched.allowance(),
          grows ? " GROWS" : "");
    }
    return flat;
  }

  /** From begin to end of the straight line that is nearest to the values. */
  private static double rise(double[] values) {
    double meanX = (values.length - 1) / 2.0;
    double above = 0;
    double below = 0;
    for (int i = 0; i < values.length; i++) {
      above += (i - meanX) * values[i];
      below += (i - meanX) * (i - meanX);
    }
    return below == 0 ? 0 : above / below * (values.length - 1);
  }

  /** Without the dead space that the collector leaves between the living to save itself a move. */
  private static long liveKiB(long pid) throws IOException, InterruptedException {
    long bytes = 0;
    for (String line : jcmd(pid, "GC.class_histogram").lines().toList()) {
      String[] words = line.strip().split("\\s+");
      if (words.length >= 4 && words[0].endsWith(":") && !words[3].contains("FillerElement")) {
        bytes += Long.parseLong(words[2]);
      }
    }
    return bytes / 1024;
  }

  private static String jcmd(long pid, String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                "" + pid,
                command)
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }
}
