package dev.fallow.systemtests.faults;

import static org.awaitility.Awaitility.await;

import dev.fallow.app.RecordedConsole;
import dev.fallow.rig.ApiClient;
import dev.fallow.rig.ApiResponse;
import dev.fallow.rig.AuditLevel;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Json;
import dev.fallow.rig.Rig;
import dev.fallow.rig.RigException;
import dev.fallow.rig.RigNode;
import dev.fallow.rig.RigPrometheus;
import dev.fallow.rig.fault.FaultProxy;
import dev.fallow.systemtests.campaign.Evidence;
import dev.fallow.systemtests.campaign.KeepRequest;
import dev.fallow.systemtests.campaign.LedgerRecord;
import dev.fallow.systemtests.campaign.RunSettings;
import dev.fallow.systemtests.campaign.Span;
import dev.fallow.systemtests.campaign.Stake;
import dev.fallow.systemtests.campaign.Workshop;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The product on a real cluster whose pods really come and go, with a real Prometheus in between it
 * and the truth. The cluster stays from one iteration to the next, and the workloads take turns:
 * while those of one team are paused, those of the other, which are kept, grow old enough.
 */
final class PruneWorkshop implements Workshop, AutoCloseable {
  static final String USER = "system:serviceaccount:fallow-system:fallow";
  static final String LEASES = "lease-a";
  static final String OTHER_LEASES = "lease-b";
  static final Duration WINDOW = Duration.ofSeconds(20);
  static final Duration CYCLE = Duration.ofSeconds(2);
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final Duration REST = Duration.ofSeconds(40);
  private static final Duration FIRST_TRAFFIC = Duration.ofSeconds(9);
  private static final Duration SECOND_TRAFFIC = Duration.ofSeconds(3);
  private static final String CLEAN =
      "{\"metadata\":{\"annotations\":{\"fallow.dev/intent\":null,\"fallow.dev/paused-at\":null,"
          + "\"fallow.dev/paused-by\":null,\"fallow.dev/pause-reason\":null,"
          + "\"fallow.dev/before-pause\":null,\"fallow.dev/action-id\":null,"
          + "\"fallow.dev/freed-gpus\":null,\"fallow.dev/undone\":null,\"example.org/note\":null,"
          + "\"example.org/storm\":null,\"autoscaling.keda.sh/paused-replicas\":null}}}";

  private final Path folder;
  private final Rig rig;
  private final Fleet fleet;
  private final Pulse pulse;
  private final TruthExporter exporter;
  private final RigPrometheus prometheus;
  private final FaultProxy toApiServer;
  private final FaultProxy toPrometheus;
  private final List<Resident> residents = Resident.everybody();
  private final Map<Resident, KeepRequest> holds = new ConcurrentHashMap<>();
  private final List<KeepRequest> keeps = new CopyOnWriteArrayList<>();
  private final Ledgers ledgers;
  private Resident.Team turn = Resident.Team.ODD;
  private AuditLog audit;
  private Instant begun = Instant.now();
  private Instant healed = Instant.MAX;
  private Instant rested = Instant.MAX;
  private int iteration;
  private int processes;
  private String kubeconfig = "";
  private volatile FallowProcess product;

  PruneWorkshop(Path folder) {
    this.folder = folder;
    ledgers = new Ledgers(folder);
    rig =
        Rig.builder()
            .durable()
            .controllers()
            .kwok()
            .withCrds()
            .audit(AuditLevel.WRITES)
            .endlessJobs()
            .user("alice", "system:masters")
            .user("operator", "system:masters")
            .start();
    audit = rig.audit();
    fleet = new Fleet(rig.admin(), rig.client("operator"), residents);
    exporter = new TruthExporter(fleet);
    prometheus =
        RigPrometheus.builder()
            .scrape("dcgm-exporter", Duration.ofSeconds(1), exporter.target())
            .start();
    toApiServer = FaultProxy.inFrontOf(rig);
    toPrometheus = FaultProxy.inFrontOf(prometheus.url());
    populate();
    pulse = new Pulse(rig.admin());
    grant();
    product = start(LEASES, Map.of());
  }

  private static Path root() {
    return Path.of(System.getProperty("fallow.root", "."));
  }

  private void populate() {
    ApiClient admin = rig.admin();
    for (String namespace : List.of("red", "blue", "kube-idle", LEASES, OTHER_LEASES)) {
      admin.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}").orThrow();
    }
    admin.createNode(RigNode.named(Fleet.NODE).gpus(64));
    for (Resident resident : residents) {
      admin.post(resident.collection(), resident.json()).orThrow();
      if (!resident.scaler().isEmpty()) {
        String path = resident.targetPath();
        admin.post(path.substring(0, path.lastIndexOf('/')), resident.scalerJson()).orThrow();
      }
      if (isOfATeam(resident)) {
        hold(resident);
      }
    }
    fleet.start();
  }

  /** The rights that ship with the product, and its leases where the workshop has them. */
  private void grant() {
    Path base = root().resolve("deploy/base");
    rig.kubectl("apply", "-k", base.toString());
    rig.kubectl("apply", "-f", base.resolve("pruner-more.yaml").toString());
    rig.kubectl("wait", "--for=condition=Established", "crd/workloadstates.fallow.dev");
    for (String namespace : List.of(LEASES, OTHER_LEASES)) {
      Path role = folder.resolve(namespace + ".yaml");
      try {
        // Only where the role is; the account stays where it is.
        Files.writeString(
            role,
            Files.readString(base.resolve("lease-role.yaml"))
                .replace(
                    "fallow-lease\n  namespace: fallow-system",
                    "fallow-lease\n  namespace: " + namespace));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      rig.kubectl("apply", "-f", role.toString());
    }
    kubeconfig =
        rig.kubeconfigForServiceAccount("fallow-system", "fallow", toApiServer.url()).toString();
  }

  private static boolean isOfATeam(Resident resident) {
    return resident.team() == Resident.Team.EVEN || resident.team() == Resident.Team.ODD;
  }

  Rig rig() {
    return rig;
  }

  RigPrometheus prometheus() {
    return prometheus;
  }

  FaultProxy toApiServer() {
    return toApiServer;
  }

  FaultProxy toPrometheus() {
    return toPrometheus;
  }

  TruthExporter exporter() {
    return exporter;
  }

  FallowProcess product() {
    return product;
  }

  Path folder() {
    return folder;
  }

  List<Resident> playing() {
    return residents.stream().filter(resident -> resident.team() == turn).toList();
  }

  /** The kinds of those of this turn. */
  List<String> kinds() {
    return playing().stream().map(Resident::kind).distinct().toList();
  }

  /** What users race for: those of this turn. */
  List<Stake> contested() {
    return playing().stream().map(this::stake).toList();
  }

  private Stake stake(Resident resident) {
    return new Stake(
        resident.path(),
        resident.marksPath(),
        resident.targetPath(),
        resident::on,
        resident.json(),
        seconds -> keepFor(resident, seconds));
  }

  /** The product's words, but for whether it stays. */
  List<String> words(String leaseNamespace, Path ledger) {
    return List.of(
        "prune",
        "-r",
        "scale-down",
        "-t",
        WINDOW.toSeconds() + "s",
        "-g",
        "0",
        "-e",
        "drsinljJypo",
        "--max-pauses-per-cycle",
        "20",
        "--max-share-per-namespace",
        "100%",
        "--max-idle-share",
        "100%",
        "--kubeconfig",
        kubeconfig,
        "--prometheus-url",
        toPrometheus.url().toString(),
        "--lease-namespace",
        leaseNamespace,
        "--ledger",
        ledger.toString());
  }

  /** A new process of the product; the ledger is the iteration's, or one of its own. */
  FallowProcess start(String leaseNamespace, Map<String, String> environment) {
    Path ledger = leaseNamespace.equals(LEASES) ? ledgers.main() : ledgers.another();
    List<String> words = new ArrayList<>(words(leaseNamespace, ledger));
    words.addAll(List.of("-d", "-c", Long.toString(CYCLE.toSeconds())));
    return FallowProcess.daemon(folder, "fallow-" + processes++, environment, words);
  }

  /** A standby or a rival keeps a book of its own: SQLite has one writer. */
  FallowProcess startBeside(String leaseNamespace) {
    List<String> words = new ArrayList<>(words(leaseNamespace, ledgers.another()));
    words.addAll(List.of("-d", "-c", Long.toString(CYCLE.toSeconds())));
    return FallowProcess.daemon(folder, "fallow-" + processes++, Map.of(), words);
  }

  /** A single run that dies at a step. */
  FallowProcess runOnce(dev.fallow.core.prune.Step at) {
    return FallowProcess.once(
        folder, "fallow-" + processes++, at, 1, words(LEASES, ledgers.main()));
  }

  /** Puts another process in the place of the product's. */
  void replace(Map<String, String> environment) {
    product.stop();
    product = start(LEASES, environment);
    try {
      product.awaitUpOrEnd().awaitCyclesOrEnd(1);
    } catch (ConditionTimeoutException e) {
      // Another fault keeps it from going on.
    }
  }

  @Override
  public void reset(RandomGenerator dice) {
    exporter.tellTheTruth();
    product.stop();
    iteration++;
    turn = turn == Resident.Team.EVEN ? Resident.Team.ODD : Resident.Team.EVEN;
    ledgers.begin(iteration);
    keeps.clear();
    healed = Instant.MAX;
    audit = rig.audit().fromHere();
    begun = Instant.now();
    residents.forEach(this::settle);
    for (String namespace : List.of(LEASES, OTHER_LEASES)) {
      forgetLease(namespace);
    }
    Instant old = Instant.now();
    await()
        .atMost(LIMIT)
        .until(() -> playing().stream().allMatch(one -> fleet.isRipe(one, ripeAt(old))));
    product = start(LEASES, Map.of());
    product.awaitUpOrEnd().awaitCyclesOrEnd(1);
  }

  private static Instant ripeAt(Instant asked) {
    Instant now = Instant.now();
    return (now.isBefore(asked) ? asked : now).minus(WINDOW);
  }

  void forgetLease(String namespace) {
    rig.admin()
        .delete("/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/fallow-prune");
  }

  Json lease() {
    return rig.admin()
        .get("/apis/coordination.k8s.io/v1/namespaces/" + LEASES + "/leases/fallow-prune")
        .json();
  }

  String leader() {
    return lease().at("spec", "holderIdentity").text();
  }

  /** As it was made; the write also shows the checker what it is now. */
  private void settle(Resident resident) {
    ApiClient admin = rig.admin();
    bringBack(resident);
    String turnMark =
        "{\"metadata\":{\"annotations\":{\"example.org/turn\":\"%d\"}}}".formatted(iteration);
    admin.patch(resident.path(), turnMark).orThrow();
    if (isOfATeam(resident) && resident.team() != turn) {
      admin.patch(resident.path(), CLEAN).orThrow();
      if (resident.scaler().isEmpty()) {
        admin.patch(resident.path(), resident.on(resident.replicas())).orThrow();
      }
      if (!resident.marksPath().equals(resident.path())) {
        admin.delete(resident.marksPath());
      }
    }
    if (!resident.scaler().isEmpty()) {
      admin.patch(resident.targetPath(), turnMark).orThrow();
      if (resident.team() != turn) {
        admin.patch(resident.targetPath(), CLEAN).orThrow();
      }
    }
    if (isOfATeam(resident)) {
      // Written again, since who made it anew did not copy it.
      hold(resident);
    }
  }

  /** Whoever deleted it may not have come to make it again. */
  private void bringBack(Resident resident) {
    if (rig.admin().get(resident.path()).status() == 404) {
      rig.admin().post(resident.collection(), resident.json()).orThrow();
    }
  }

  /** Keeps a workload until it is released. */
  private void hold(Resident resident) {
    Instant until =
        Instant.now().plus(Duration.ofHours(2)).truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
    Instant asked = Instant.now();
    int status = keep(resident, "\"" + until + "\"");
    if (status / 100 != 2) {
      throw new RigException(resident.title() + " cannot be kept: " + status);
    }
    holds.put(
        resident, new KeepRequest(resident.ref(), asked, Instant.now(), status, until, until));
  }

  private int keep(Resident resident, String until) {
    try {
      ApiResponse answer =
          rig.client("alice")
              .patch(
                  resident.path(),
                  "{\"metadata\":{\"annotations\":{\"fallow.dev/keep-until\":%s}}}"
                      .formatted(until));
      return answer.status();
    } catch (RigException e) {
      return 0;
    }
  }

  /** From now on it may be paused; whether that could be said. */
  boolean release(Resident resident) {
    KeepRequest held = holds.get(resident);
    if (held == null) {
      return true;
    }
    KeepRequest ended = held.endedAt(Instant.now());
    boolean told = keep(resident, "null") / 100 == 2;
    if (told) {
      holds.remove(resident);
      keeps.add(ended);
    } else {
      holds.put(resident, ended);
    }
    return told;
  }

  /** The workloads are released one by one; one is kept for a while, and one begins to work. */
  @Override
  public void traffic(RandomGenerator dice) {
    boolean first = healed.equals(Instant.MAX);
    long length = (first ? FIRST_TRAFFIC : SECOND_TRAFFIC).toMillis();
    List<Resident> playing = playing();
    ScheduledExecutorService clock =
        Executors.newScheduledThreadPool(playing.size() + 2, Thread.ofVirtual().factory());
    Resident kept = playing.get(dice.nextInt(playing.size()));
    Resident working = playing.get(dice.nextInt(playing.size()));
    Resident back = playing.get(dice.nextInt(playing.size()));
    for (Resident resident : playing) {
      long when = first ? dice.nextLong(length * 2 / 3) : 0;
      clock.schedule(() -> release(resident), when, TimeUnit.MILLISECONDS);
    }
    if (first && dice.nextInt(3) == 0) {
      Instant from = Instant.now().plusMillis(dice.nextLong(length));
      fleet.works(working, new Span(from, from.plusSeconds(6 + dice.nextInt(4))));
    }
    if (dice.nextInt(3) == 0) {
      long seconds = 4 + dice.nextInt(6);
      clock.schedule(() -> keepFor(kept, seconds), dice.nextLong(length), TimeUnit.MILLISECONDS);
    }
    if (dice.nextInt(3) == 0) {
      long when = length / 2 + dice.nextLong(length / 2);
      clock.schedule(() -> resume(back), when, TimeUnit.MILLISECONDS);
    }
    Instant end = Instant.now().plusMillis(length);
    await().atMost(LIMIT).until(() -> !Instant.now().isBefore(end));
    // Who still waits for a server that is away has waited long enough.
    clock.shutdownNow();
    clock.close();
  }

  /** One keep at a time: a shorter one would end a longer one that the log says binds. */
  private synchronized boolean keepFor(Resident resident, long seconds) {
    Instant asked = Instant.now();
    boolean kept =
        keeps.stream()
            .filter(keep -> keep.workload().equals(resident.ref()))
            .anyMatch(keep -> keep.ended().isAfter(asked));
    if (kept || holds.containsKey(resident)) {
      return false;
    }
    Instant until = asked.plusSeconds(seconds).truncatedTo(java.time.temporal.ChronoUnit.SECONDS);
    int status = keep(resident, "\"" + until + "\"");
    KeepRequest request =
        new KeepRequest(resident.ref(), asked, Instant.now(), status, until, until);
    keeps.add(request);
    return request.accepted();
  }

  /** By the product's own command, in the midst of whatever is going wrong. */
  private int resume(Resident resident) {
    return RecordedConsole.run(
            "resume", resident.argument(), "-n", resident.namespace(), "--kubeconfig", kubeconfig)
        .exitCode();
  }

  @Override
  public void heal() {
    exporter.tellTheTruth();
    toApiServer.heal();
    toPrometheus.heal();
    playing().forEach(this::bringBack);
    playing().forEach(resident -> await().atMost(LIMIT).until(() -> release(resident)));
    revive();
    pulse.awaitBeat(LIMIT);
    product.awaitCyclesOrEnd(1);
    healed = Instant.now();
  }

  /**
   * As Kubernetes does with a container that has ended. Who was told to die may do so only now,
   * where another fault has kept it from coming so far.
   */
  synchronized void revive() {
    if (product.running()) {
      return;
    }
    forgetLease(LEASES);
    product = start(LEASES, Map.of());
    product.awaitUpOrEnd().awaitCyclesOrEnd(1);
    healed = Instant.now();
  }

  @Override
  public void quiesce() {
    try {
      await()
          .atMost(REST)
          .pollInterval(Duration.ofMillis(500))
          .ignoreException(RigException.class)
          .until(() -> {
            revive();
            List<LedgerRecord> written = ledgers.records();
            return playing().stream().allMatch(resident -> isDone(resident, written));
          });
    } catch (ConditionTimeoutException e) {
      // Whether it had to be is the checker's to say.
    }
    product.live();
    revive();
    rested = Instant.now();
    playing().forEach(this::hold);
    for (Resident resident : playing()) {
      if (resident.isStopped(rig.admin().get(resident.targetPath()).json())) {
        resume(resident);
      }
    }
  }

  /** Paused, and written down. */
  private boolean isDone(Resident resident, List<LedgerRecord> written) {
    Json target = rig.admin().get(resident.targetPath()).orThrow().json();
    if (!resident.isStopped(target)) {
      return false;
    }
    String id = actionId(resident, target);
    return id.isEmpty() || written.stream().anyMatch(record -> record.actionId().equals(id));
  }

  private String actionId(Resident resident, Json target) {
    boolean beside = resident.form() == Resident.Form.INFERENCE_SERVICE;
    Json carrier = beside ? rig.admin().get(resident.marksPath()).json() : target;
    return carrier.at("metadata", "annotations", "fallow.dev/action-id").text();
  }

  @Override
  public Evidence evidence() {
    List<KeepRequest> all = new ArrayList<>(keeps);
    residents.stream()
        .filter(resident -> isOfATeam(resident) && resident.team() != turn)
        .flatMap(resident -> Optional.ofNullable(holds.get(resident)).stream())
        .forEach(all::add);
    return new Evidence(
        audit.entries(),
        fleet.truth(begun.minus(WINDOW.multipliedBy(3))),
        all,
        ledgers.records(),
        List.of(),
        List.of(),
        List.of(),
        healed,
        rested,
        Instant.now());
  }

  @Override
  public RunSettings settings() {
    return new RunSettings(
        USER,
        WINDOW,
        Duration.ZERO,
        Duration.ZERO,
        CYCLE,
        Duration.ofSeconds(35),
        Duration.ofSeconds(20),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(25),
        20,
        1,
        Duration.ofHours(1),
        Set.of("kube-idle"));
  }

  /** Leaves nothing running; the logs stay in the folder. */
  @Override
  public void close() {
    product.close();
    toApiServer.close();
    toPrometheus.close();
    fleet.close();
    prometheus.close();
    exporter.close();
    rig.close();
  }

  static Path temporary() {
    try {
      return Files.createTempDirectory("fallow-campaign-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
