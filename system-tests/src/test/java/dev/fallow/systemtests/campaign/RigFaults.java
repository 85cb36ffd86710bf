package dev.fallow.systemtests.campaign;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.Part;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.rig.fault.FaultProxy;
import dev.fallow.rig.fault.ProxyFault;
import dev.fallow.rig.fault.Scope;
import dev.fallow.systemtests.campaign.ProxyOutage.Trouble;
import dev.fallow.systemtests.campaign.ServerOutage.Means;
import dev.fallow.systemtests.campaign.ServerOutage.Way;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.awaitility.Awaitility;

/**
 * The faults of a cluster and of the ways to it; the rig should be {@code durable()}, and its audit
 * log hold writes. Faults of the product's own processes are the workshop's.
 */
public final class RigFaults {
  private static final String TO_PROMETHEUS = "the way to Prometheus";
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final int[] ERRORS = {429, 500, 503};
  private static final String WRITES = "^/(api|apis)/";

  private RigFaults() {}

  /** Servers of the cluster, by SIGKILL and SIGSTOP. */
  public static List<Fault> ofServers(Rig rig) {
    Runnable settled = () -> awaitWrites(rig);
    return List.of(
        new ServerOutage(rig.process(Part.ETCD), Way.KILL, Means.BLIND, settled),
        new ServerOutage(rig.process(Part.ETCD), Way.FREEZE, Means.BLIND, settled),
        new ServerOutage(rig.process(Part.API_SERVER), Way.KILL, Means.BLIND, settled),
        new ServerOutage(rig.process(Part.API_SERVER), Way.FREEZE, Means.NOTHING, settled));
  }

  /** Prometheus itself. */
  public static List<Fault> ofPrometheus(RigPrometheus prometheus) {
    return List.of(
        new ServerOutage(prometheus.process(), Way.KILL, Means.DARK, () -> {}),
        new ServerOutage(prometheus.process(), Way.FREEZE, Means.DARK, () -> {}));
  }

  /**
   * The way to the API server.
   *
   * @param paths a pattern of the paths of workloads, for what is to hit their writes
   */
  public static List<Fault> ofTheWayToTheApiServer(FaultProxy proxy, String paths) {
    return List.of(
        proxy(
            "partition from the API server",
            proxy,
            dice ->
                new Trouble(
                    dice.nextBoolean() ? new ProxyFault.BlackHole() : new ProxyFault.Refuse(),
                    Scope.everything())),
        proxy(
            "lost replies",
            proxy,
            dice ->
                new Trouble(
                    new ProxyFault.LoseReply(),
                    Scope.of("PATCH", paths)
                        .share(0.3 + 0.7 * dice.nextDouble(), dice.nextLong()))),
        proxy(
            "late writes",
            proxy,
            dice ->
                new Trouble(
                    new ProxyFault.Delay(Duration.ofMillis(500 + dice.nextLong(10_000))),
                    Scope.of("PATCH", paths).share(0.5, dice.nextLong()))),
        proxy(
            "conflicts out of nowhere",
            proxy,
            dice ->
                new Trouble(
                    new ProxyFault.Answer(409),
                    Scope.of("PATCH", paths)
                        .share(0.5 + 0.5 * dice.nextDouble(), dice.nextLong()))),
        proxy(
            "errors of the API server",
            proxy,
            dice ->
                new Trouble(
                    new ProxyFault.Answer(ERRORS[dice.nextInt(ERRORS.length)]),
                    Scope.of("", WRITES).share(0.1 + 0.3 * dice.nextDouble(), dice.nextLong()))),
        proxy(
            "resets within answers of the API server",
            proxy,
            dice ->
                new Trouble(
                    new ProxyFault.ResetMidBody(1 + dice.nextInt(2_000)),
                    Scope.of("", WRITES).share(0.1 + 0.3 * dice.nextDouble(), dice.nextLong()))));
  }

  /** The way to Prometheus. Where one of them lets nothing through, another is not felt. */
  public static List<Fault> ofTheWayToPrometheus(FaultProxy proxy) {
    return List.of(
        dark(
            "partition from Prometheus",
            proxy,
            dice ->
                new Trouble(
                    dice.nextBoolean() ? new ProxyFault.BlackHole() : new ProxyFault.Refuse(),
                    Scope.everything())),
        dark(
            "errors of Prometheus",
            proxy,
            dice ->
                new Trouble(
                    new ProxyFault.Answer(ERRORS[dice.nextInt(ERRORS.length)]),
                    Scope.everything())),
        dark(
            "garbage from Prometheus",
            proxy,
            dice ->
                new Trouble(
                    new ProxyFault.Garbage(dice.nextLong(), dice.nextInt(10_000)),
                    Scope.everything())),
        dark(
            "answers of Prometheus end too early",
            proxy,
            dice -> new Trouble(new ProxyFault.Truncate(dice.nextInt(5_000)), Scope.everything())),
        bright(
            "slow Prometheus",
            proxy,
            dice ->
                new Trouble(
                    new ProxyFault.Delay(Duration.ofMillis(500 + dice.nextLong(30_000))),
                    Scope.everything())),
        bright(
            "some answers of Prometheus are cut",
            proxy,
            dice ->
                new Trouble(
                    new ProxyFault.ResetMidBody(dice.nextInt(400)),
                    Scope.of("", "/api/v1/")
                        .share(0.05 + 0.45 * dice.nextDouble(), dice.nextLong()))));
  }

  /** Users on the same workloads. */
  public static List<Fault> ofUsers(
      ApiClient user, Supplier<List<Stake>> stakes, Rig rig, String product) {
    return List.of(
        new UserRace(user, stakes, rig.audit(), product),
        new ConflictStorm(user, stakes, rig.audit(), product));
  }

  /** The details of a fault, as the dice fall. */
  private interface Dice {
    Trouble throwDice(RandomGenerator dice);
  }

  private static Fault proxy(String name, FaultProxy proxy, Dice trouble) {
    return new ProxyOutage(name, name, proxy, false, trouble::throwDice);
  }

  private static Fault bright(String name, FaultProxy proxy, Dice trouble) {
    return new ProxyOutage(name, TO_PROMETHEUS, proxy, false, trouble::throwDice);
  }

  private static Fault dark(String name, FaultProxy proxy, Dice trouble) {
    return new ProxyOutage(name, TO_PROMETHEUS, proxy, true, trouble::throwDice);
  }

  /** After etcd is back, the API server needs a moment to notice. */
  private static void awaitWrites(Rig rig) {
    String patch = "{\"metadata\":{\"annotations\":{\"example.org/alive\":\"%d\"}}}";
    Awaitility.await()
        .atMost(LIMIT)
        .ignoreExceptions()
        .until(() ->
            rig.admin()
                .patch("/api/v1/namespaces/default", patch.formatted(System.nanoTime()))
                .ok());
  }
}
