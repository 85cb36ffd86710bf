package dev.fallow.sim;

import static dev.fallow.sim.OwnerKind.CRON_JOB;
import static dev.fallow.sim.OwnerKind.DEPLOYMENT;
import static dev.fallow.sim.OwnerKind.INFERENCE_SERVICE;
import static dev.fallow.sim.OwnerKind.JOB;
import static dev.fallow.sim.OwnerKind.JOB_SET;
import static dev.fallow.sim.OwnerKind.LEADER_WORKER_SET;
import static dev.fallow.sim.OwnerKind.NIM_SERVICE;
import static dev.fallow.sim.OwnerKind.NOTEBOOK;
import static dev.fallow.sim.OwnerKind.POD;
import static dev.fallow.sim.OwnerKind.PYTORCH_JOB;
import static dev.fallow.sim.OwnerKind.RAY_CLUSTER;
import static dev.fallow.sim.OwnerKind.REPLICA_SET;
import static dev.fallow.sim.OwnerKind.ROLLOUT;
import static dev.fallow.sim.OwnerKind.STATEFUL_SET;

import dev.fallow.core.fleet.Annotations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The cast of the demonstration: sixty-four GPUs, six teams, and every way of wasting or using a
 * GPU that matters to a verdict. What changes within the first hour is written as minutes after the
 * start; a seed moves it by a minute or two.
 */
final class DemoFleet {

  private final long seed;
  private final Instant start;
  private final Instant monday;
  private final FleetBuilder fleet;

  private DemoFleet(long seed, Instant start) {
    this.seed = seed;
    this.start = start;
    this.monday = start.minus(Duration.ofHours(10));
    this.fleet = new FleetBuilder(seed, start);
  }

  static SimulatedFleet of(long seed, Instant start) {
    DemoFleet demo = new DemoFleet(seed, start);
    demo.nodes();
    demo.nlp();
    demo.vision();
    demo.speech();
    demo.recsys();
    demo.research();
    demo.platform();
    return demo.fleet.build();
  }

  private void nodes() {
    for (int i = 1; i <= 3; i++) {
      fleet.node("h100-" + i, GpuModel.H100, 8);
    }
    Exporter away =
        Exporter.awayDaily(
            fleet.seedOf("a100-2"), start.plus(Duration.ofHours(3)), Duration.ofMinutes(12));
    Exporter lossy = Exporter.lossy(fleet.seedOf("l4-2"));
    Exporter shared = Exporter.steady(fleet.seedOf("t4-1"));
    Exporter mig = Exporter.steady(fleet.seedOf("a100-mig-1"));
    fleet
        .node("a100-1", GpuModel.A100, 8)
        .node("a100-2", GpuModel.A100, 8, 1, List.of(), Set.of(7), away)
        .node("mi300x-1", GpuModel.MI300X, 8)
        .node(
            "a100-mig-1",
            GpuModel.A100,
            4,
            1,
            List.of("3g.40gb", "1g.10gb", "1g.10gb", "1g.10gb", "1g.10gb"),
            Set.of(),
            mig)
        .node("l4-1", GpuModel.L4, 6)
        .node("l4-2", GpuModel.L4, 2, 1, List.of(), Set.of(), lossy)
        .node("t4-1", GpuModel.T4, 4, 4, List.of(), Set.of(), shared)
        .namespace("nlp", Map.of(Annotations.TEAM, "language"))
        .namespace("speech", Map.of(Annotations.TEAM, "language"))
        .namespace("vision", Map.of(Annotations.TEAM, "perception"))
        .namespace("showroom", Map.of(Annotations.EXEMPT, "demo stand, owned by marketing"))
        .racked();
  }

  private void nlp() {
    fleet
        .workload(INFERENCE_SERVICE, "nlp", "chat-llm")
        .pods(2, 2)
        .does(serving("chat-llm"))
        .on("h100-1");
    fleet
        .workload(PYTORCH_JOB, "nlp", "llm-pretrain")
        .pods(2, 4)
        .does(training("llm"))
        .on("h100-2");
    fleet
        .workload(LEADER_WORKER_SET, "nlp", "llama-405b")
        .pods(2, 2)
        .does(new Activity.Until(minutes(-8), steady("llama")))
        .on("h100-3");
    fleet.workload(DEPLOYMENT, "nlp", "summarizer").pods(2, 1).on("h100-3");
    fleet
        .workload(DEPLOYMENT, "nlp", "translate")
        .does(new Activity.Until(minutes(-22), steady("translate")))
        .on("h100-3");
    fleet
        .workload(NIM_SERVICE, "nlp", "embed-nim")
        .does(new Activity.Until(minutes(-600), serving("embed")))
        .on("h100-3");
  }

  private void vision() {
    fleet
        .workload(STATEFUL_SET, "vision", "detector-train")
        .pods(1, 8)
        .does(new Activity.FirstGpus(7, training("detector")))
        .on("a100-1");
    fleet
        .workload(DEPLOYMENT, "vision", "image-search")
        .pods(2, 1)
        .does(new Activity.FirstGpus(1, serving("image-search")))
        .lives(new Life.Redeployed(minutes(260), Duration.ofHours(24), Duration.ofSeconds(90)))
        .on("a100-2");
    fleet
        .workload(ROLLOUT, "vision", "segment-api")
        .does(new Activity.Until(minutes(-2000), serving("segment")))
        .on("l4-1");
    fleet
        .workload(DEPLOYMENT, "vision", "video-transcode")
        .pods(2, 1)
        .does(bursts("transcode", Work.ENCODING, 8, 1, 240))
        .on("l4-1");
    fleet
        .workload(JOB, "vision", "frames-extract")
        .does(training("frames"))
        .lives(new Life.Once(minutes(-300), Duration.ofMinutes(170)))
        .on("l4-1");
    fleet
        .workload(DEPLOYMENT, "vision", "ocr")
        .does(new Activity.Until(minutes(7), steady("ocr")))
        .on("l4-1");
    fleet
        .workload(JOB_SET, "vision", "lr-sweep")
        .pods(2, 1)
        .does(training("sweep"))
        .lives(new Life.Once(minutes(-500), Duration.ofMinutes(1700)))
        .on("a100-2");
  }

  private void speech() {
    fleet
        .workload(RAY_CLUSTER, "speech", "asr-tune")
        .pods(1, 2)
        .does(new Activity.From(minutes(28), training("asr-tune")))
        .on("a100-2");
    fleet
        .workload(DEPLOYMENT, "speech", "tts")
        .does(
            new Activity.Either(
                new Activity.Until(minutes(-180), serving("tts")),
                new Activity.From(minutes(14), steady("tts"))))
        .on("l4-1");
    fleet.workload(STATEFUL_SET, "speech", "diarize").on("l4-2");
    fleet
        .workload(DEPLOYMENT, "speech", "asr-stream")
        .does(bursts("asr", Work.INFERENCE, 45, 0.6, 120))
        .on("l4-2");
  }

  private void recsys() {
    fleet
        .workload(DEPLOYMENT, "recsys", "ranker")
        .pods(4, 1)
        .does(serving("ranker"))
        .on("mi300x-1");
    fleet.workload(DEPLOYMENT, "recsys", "candidate-gen").pods(2, 1).on("mi300x-1");
    fleet
        .workload(CRON_JOB, "recsys", "nightly-embed")
        .does(training("embed"))
        .lives(new Life.Runs(minutes(-80), Duration.ofHours(6), Duration.ofMinutes(75)))
        .on("mi300x-1");
    fleet
        .workload(DEPLOYMENT, "recsys", "ranker-shadow")
        .lives(new Life.CrashLoop(minutes(-900), Duration.ofSeconds(345), Duration.ofSeconds(41)))
        .on("mi300x-1");
    fleet
        .workload(DEPLOYMENT, "recsys", "feature-loader")
        .does(bursts("loader", Work.COPYING, 9, 1, 75))
        .on("h100-1");
  }

  private void research() {
    fleet
        .workload(NOTEBOOK, "research", "diffusion-lab")
        .does(byDay("diffusion", 0.7))
        .idleWindow(Duration.ofMinutes(45))
        .on("a100-2");
    fleet.workload(REPLICA_SET, "research", "old-baseline").on("a100-2");
    fleet.workload(POD, "research", "debug-shell").on("h100-1");
    fleet
        .workload(NOTEBOOK, "research", "protein-lab")
        .slice("3g.40gb")
        .does(byDay("protein", 1))
        .on("a100-mig-1");
    fleet.workload(NOTEBOOK, "research", "thesis-lab").slice("1g.10gb").on("a100-mig-1");
    fleet
        .workload(STATEFUL_SET, "research", "student-labs")
        .pods(9, 1)
        .slice("1g.10gb")
        .does(new Activity.FirstGpus(3, bursts("students", Work.INFERENCE, 14, 1, 240)))
        .on("a100-mig-1");
    fleet
        .workload(STATEFUL_SET, "research", "course-lab")
        .pods(6, 1)
        .does(new Activity.FirstGpus(1, bursts("course", Work.INFERENCE, 12, 1, 200)))
        .on("t4-1");
    fleet.workload(DEPLOYMENT, "research", "course-grader").pods(4, 1).on("t4-1");
  }

  private void platform() {
    fleet
        .workload(DEPLOYMENT, "platform", "llm-canary")
        .does(serving("canary"))
        .lives(new Life.Steady(minutes(-6), Duration.ofMinutes(9)))
        .on("h100-1");
    fleet
        .workload(DEPLOYMENT, "platform", "burn-in")
        .annotated(Annotations.KEEP_UNTIL, start.plus(Duration.ofHours(76)).toString())
        .annotated(Annotations.KEPT_BY, "platform")
        .annotated(Annotations.KEEP_REASON, "acceptance test of the new rack")
        .on("h100-1");
    fleet
        .workload(DEPLOYMENT, "platform", "xid-watch")
        .slice("1g.10gb")
        .does(bursts("xid", Work.COPYING, 10, 1, 90))
        .on("a100-mig-1");
    fleet
        .workload(DEPLOYMENT, "platform", "eval-queue")
        .pods(1, 8)
        .lives(new Life.Waiting(minutes(-4)))
        .nowhere();
    fleet.workload(DEPLOYMENT, "showroom", "kiosk").on("t4-1");
  }

  /** A moment so many minutes after the start, a little earlier or later by seed. */
  private Instant minutes(long minutes) {
    long nudge = Math.floorMod(Dice.roll(seed, minutes), 90L) - 45;
    return start.plus(Duration.ofMinutes(minutes)).plusSeconds(nudge);
  }

  private Activity training(String name) {
    return new Activity.Training(fleet.seedOf(name), Duration.ofMinutes(47), Duration.ofMinutes(4));
  }

  /** Requests come often enough that no quarter of an hour is without one. */
  private Activity serving(String name) {
    return bursts(name, Work.INFERENCE, 6, 1, 150);
  }

  /** So many requests that there is hardly a moment without one. */
  private Activity steady(String name) {
    return bursts(name, Work.INFERENCE, 6, 1, 345);
  }

  private Activity bursts(String name, Work work, long everyMinutes, double chance, long seconds) {
    return new Activity.Bursts(
        fleet.seedOf(name),
        work,
        Duration.ofMinutes(everyMinutes),
        chance,
        Duration.ofSeconds(seconds));
  }

  private Activity byDay(String name, double chance) {
    return new Activity.ByDay(monday, bursts(name, Work.TRAINING, 25, chance, 500));
  }
}
