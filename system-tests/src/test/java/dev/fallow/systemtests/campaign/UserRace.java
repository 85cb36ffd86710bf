package dev.fallow.systemtests.campaign;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.Json;
import dev.fallow.rig.RigException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A user who gets in the product's way: as soon as a workload is marked for a pause, and now and
 * then without that, it is scaled, annotated, or deleted and made again. It has taken effect when
 * one of its writes and one of the product's lay within a second of each other on the same object.
 */
final class UserRace implements Fault {
  private static final Duration CLOSE = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Of all looks at a workload without a mark, one in so many leads to a change all the same. */
  private static final int UNPROVOKED = 50;

  private enum Move {
    SCALE,
    ANNOTATE,
    RECREATE
  }

  private record Done(String path, Instant at) {}

  private final ApiClient api;
  private final Supplier<List<String>> workloads;
  private final AuditLog whole;
  private final String opponent;
  private final List<Done> done = new CopyOnWriteArrayList<>();
  private AuditLog audit;
  private List<String> paths = List.of();
  private @Nullable ScheduledExecutorService clock;

  /**
   * @param api speaks as the user
   * @param workloads the API paths of the workloads, which have {@code spec.replicas}
   * @param opponent the product's user
   */
  UserRace(ApiClient api, Supplier<List<String>> workloads, AuditLog audit, String opponent) {
    this.api = api;
    this.workloads = workloads;
    this.whole = audit;
    this.audit = audit;
    this.opponent = opponent;
  }

  @Override
  public String name() {
    return "user races";
  }

  @Override
  public void start(RandomGenerator dice) {
    done.clear();
    audit = whole.fromHere();
    paths = workloads.get();
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
    clock = started;
    for (String path : paths) {
      Random own = new Random(dice.nextLong());
      started.scheduleWithFixedDelay(
          () -> look(started, path, own), 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** An outage that is on at the same time is no reason to stop looking. */
  private void look(ScheduledExecutorService on, String path, Random dice) {
    try {
      Json object = api.get(path).json();
      boolean marked = !Marks.annotation(object, Marks.INTENT).isMissing();
      if (marked || dice.nextInt(UNPROVOKED) == 0) {
        Move move = Move.values()[dice.nextInt(Move.values().length)];
        int replicas = 1 + dice.nextInt(4);
        long wait = dice.nextLong(CLOSE.toMillis());
        on.schedule(() -> make(move, path, replicas), wait, TimeUnit.MILLISECONDS);
      }
    } catch (RigException e) {
      // Look again.
    }
  }

  private void make(Move move, String path, int replicas) {
    try {
      boolean made =
          switch (move) {
            case SCALE -> api.patch(path, "{\"spec\":{\"replicas\":%d}}".formatted(replicas)).ok();
            case ANNOTATE ->
                api.patch(
                        path,
                        "{\"metadata\":{\"annotations\":{\"example.org/note\":\"%d\"}}}"
                            .formatted(replicas))
                    .ok();
            case RECREATE -> recreate(path);
          };
      if (made) {
        done.add(new Done(path, Instant.now()));
      }
    } catch (RigException e) {
      // Not made.
    }
  }

  /** The same again under another identity; nothing of the product's is carried over. */
  private boolean recreate(String path) {
    Json object = api.get(path).json();
    if (object.at("spec").isMissing() || !api.delete(path).ok()) {
      return false;
    }
    String parent = path.substring(0, path.lastIndexOf('/'));
    Json again =
        Json.parse("{\"metadata\":{}}")
            .with(object.at("apiVersion"), "apiVersion")
            .with(object.at("kind"), "kind")
            .with(object.at("metadata", "name"), "metadata", "name")
            .with(object.at("metadata", "labels"), "metadata", "labels")
            .with(object.at("spec"), "spec");
    return Stream.generate(() -> api.post(parent, again.toString()))
        .limit(3)
        .anyMatch(answer -> answer.ok());
  }

  @Override
  public void heal() {
    if (clock != null) {
      clock.shutdownNow();
      clock.close();
      clock = null;
    }
  }

  @Override
  public boolean waitsForPrey() {
    return !tookEffect();
  }

  @Override
  public boolean tookEffect() {
    return audit.of(opponent).stream()
        .filter(AuditEntry::isWrite)
        .anyMatch(write -> done.stream().anyMatch(move -> isClose(write, move)));
  }

  private static boolean isClose(AuditEntry write, Done move) {
    return write.uri().startsWith(move.path())
        && Duration.between(write.at(), move.at()).abs().compareTo(CLOSE) <= 0;
  }
}
