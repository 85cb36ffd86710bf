package dev.fallow.systemtests.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.fallow.rig.AuditLevel;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigException;
import dev.fallow.rig.RigFailureReport;
import dev.fallow.rig.fault.FaultProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The campaign as a whole on a real cluster, with {@link ToyPruner} in the product's place: a
 * careful one passes, a careless one is caught.
 */
@Tag("rig")
@ExtendWith(RigFailureReport.class)
class ToyCampaignTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static Rig rig;
  private static FaultProxy proxy;

  @BeforeAll
  static void start() {
    rig =
        Rig.builder()
            .durable()
            .audit(AuditLevel.WRITES)
            .user(ToyPruner.USER, "system:masters")
            .user("alice", "system:masters")
            .start();
    proxy = FaultProxy.inFrontOf(rig);
  }

  @AfterAll
  static void close() {
    proxy.close();
    rig.close();
  }

  @Test
  void aCarefulPrunerKeepsItsPromisesUnderFaults() {
    ToyWorkshop workshop = new ToyWorkshop(true);
    List<Fault> faults =
        Stream.concat(
                RigFaults.ofTheWayToTheApiServer(proxy, "/deployments/").stream(),
                RigFaults.ofUsers(rig.client("alice"), workshop::stakes, rig, ToyPruner.USER)
                    .stream())
            .toList();

    Campaign.Report report = new Campaign(11, 2).run(workshop, faults, System.out::println);

    assertThat(report.violations()).isEmpty();
    assertThat(report.counted()).isEqualTo(2);
    assertThat(report.iterations())
        .anySatisfy(iteration -> assertThat(iteration.findings().pauses()).isPositive());
  }

  @Test
  void aCarelessPrunerIsCaught() {
    ToyWorkshop workshop = new ToyWorkshop(false);
    List<Fault> faults =
        List.of(new UserRace(rig.client("alice"), workshop::stakes, rig.audit(), ToyPruner.USER));

    Campaign.Report report = new Campaign(3, 1).run(workshop, faults, System.out::println);

    assertThat(report.violations()).extracting(Violation::invariant).contains("I11");
    assertThat(report.violations())
        .allSatisfy(violation -> assertThat(violation.entries()).isNotEmpty());
  }

  /** A few Deployments whose GPUs have been idle for ever. */
  private static final class ToyWorkshop implements Workshop {
    private static final int WORKLOADS = 6;
    private static final int CYCLES = 6;
    private static final Duration BEAT = Duration.ofMillis(300);
    private final boolean guarded;
    private ToyPruner pruner;
    private AuditLog audit = rig.audit();
    private Instant healed = Instant.MAX;

    ToyWorkshop(boolean guarded) {
      this.guarded = guarded;
      this.pruner = newPruner();
    }

    private ToyPruner newPruner() {
      return new ToyPruner(rig.client(ToyPruner.USER, proxy.url()), guarded);
    }

    private static List<String> names() {
      return IntStream.range(0, WORKLOADS).mapToObj(i -> "toy-" + i).toList();
    }

    List<String> paths() {
      return names().stream().map(name -> ToyPruner.PATH + "/" + name).toList();
    }

    List<Stake> stakes() {
      return names().stream()
          .map(name -> Stake.ofReplicas(ToyPruner.PATH + "/" + name, ToyPruner.deployment(name, 2)))
          .toList();
    }

    @Override
    public void reset(RandomGenerator dice) {
      paths().forEach(path -> rig.admin().delete(path));
      audit = rig.audit().fromHere();
      names()
          .forEach(name ->
              rig.admin()
                  .post(ToyPruner.PATH, ToyPruner.deployment(name, 1 + dice.nextInt(5)))
                  .orThrow());
      pruner = newPruner();
    }

    @Override
    public void traffic(RandomGenerator dice) {
      // One after the other would do nothing else than wait for the first answer in a black hole.
      ToyPruner busy = pruner;
      AtomicInteger begun = new AtomicInteger();
      await()
          .atMost(LIMIT)
          .pollInterval(BEAT)
          .until(() -> {
            Thread.ofVirtual().start(() -> busy.cycle(names()));
            return begun.incrementAndGet() == CYCLES;
          });
    }

    @Override
    public void heal() {
      healed = Instant.now();
    }

    @Override
    public void quiesce() {
      await()
          .atMost(LIMIT)
          .ignoreException(RigException.class)
          .until(() -> {
            pruner.cycle(names());
            return paths().stream()
                .map(path -> rig.admin().get(path).json())
                .allMatch(
                    object -> object.at("spec", "replicas").number() == 0 && isRecorded(object));
          });
    }

    private boolean isRecorded(Json object) {
      String id = Marks.annotation(object, Marks.ACTION_ID).text();
      return id.isEmpty()
          || pruner.ledger().stream().anyMatch(record -> record.actionId().equals(id));
    }

    @Override
    public Evidence evidence() {
      List<GroundTruth.TrueWorkload> workloads =
          names().stream()
              .map(name -> new ObjectRef("apps", "deployments", "default", name))
              .map(object ->
                  new GroundTruth.TrueWorkload(
                      object,
                      "Deployment/default/" + object.name(),
                      List.of(object),
                      List.of(
                          new GroundTruth.TruePod(
                              object.name(),
                              new Span(Instant.EPOCH, Instant.MAX),
                              List.of(new GroundTruth.TrueGpu("GPU-0", List.of())))),
                      List.of(),
                      true))
              .toList();
      Instant now = Instant.now();
      return new Evidence(
          audit.entries(),
          new GroundTruth(workloads),
          List.of(),
          pruner.ledger(),
          List.of(),
          List.of(),
          List.of(),
          healed,
          now,
          now);
    }

    /** The toy knows neither budgets nor patience with people; that is not what it is for. */
    @Override
    public RunSettings settings() {
      return new RunSettings(
          ToyPruner.USER,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ofSeconds(1),
          Duration.ZERO,
          Duration.ZERO,
          Duration.ZERO,
          Duration.ofSeconds(10),
          1_000,
          1_000,
          Duration.ofHours(1),
          Set.of());
    }
  }
}
