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
 * then without that, it is switched on, kept, annotated, or deleted and made again. It has taken
 * effect when one of its writes and one of the product's lay within a second of each other on the
 * same workload.
 */
final class UserRace implements Fault {
  private static final Duration CLOSE = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMillis(100);

  /** Of all looks at a workload without a mark, one in so many leads to a change all the same. */
  private static final int UNPROVOKED = 50;

  private enum Move {
    SWITCH_ON,
    KEEP,
    ANNOTATE,
    RECREATE
  }

  private record Done(Move move, Stake stake, Instant at) {}

  private final ApiClient api;
  private final Supplier<List<Stake>> workloads;
  private final AuditLog whole;
  private final String opponent;
  private final List<Done> done = new CopyOnWriteArrayList<>();
  private AuditLog audit;
  private @Nullable ScheduledExecutorService clock;

  /**
   * @param api speaks as the user
   * @param opponent the product's user
   */
  UserRace(ApiClient api, Supplier<List<Stake>> workloads, AuditLog audit, String opponent) {
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
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
    clock = started;
    for (Stake stake : workloads.get()) {
      Random own = new Random(dice.nextLong());
      started.scheduleWithFixedDelay(
          () -> look(started, stake, own), 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  /** An outage that is on at the same time is no reason to stop looking. */
  private void look(ScheduledExecutorService on, Stake stake, Random dice) {
    try {
      Json object = api.get(stake.marks()).json();
      boolean marked = !Marks.annotation(object, Marks.INTENT).isMissing();
      if (marked || dice.nextInt(UNPROVOKED) == 0) {
        Move move = Move.values()[dice.nextInt(Move.values().length)];
        int amount = 1 + dice.nextInt(4);
        long wait = dice.nextLong(CLOSE.toMillis());
        on.schedule(() -> make(move, stake, amount), wait, TimeUnit.MILLISECONDS);
      }
    } catch (RigException e) {
      // Look again.
    }
  }

  private void make(Move move, Stake stake, int amount) {
    try {
      boolean made =
          switch (move) {
            case SWITCH_ON -> api.patch(stake.lever(), stake.on().apply(amount)).ok();
            case KEEP -> stake.keep().test(2L + amount);
            case ANNOTATE ->
                api.patch(
                        stake.path(),
                        "{\"metadata\":{\"annotations\":{\"example.org/note\":\"%d\"}}}"
                            .formatted(amount))
                    .ok();
            case RECREATE -> recreate(stake);
          };
      if (made) {
        done.add(new Done(move, stake, Instant.now()));
      }
    } catch (RigException e) {
      // Not made.
    }
  }

  /** The same again under another identity; nothing of the product's is carried over. */
  private boolean recreate(Stake stake) {
    if (!api.delete(stake.path() + "?propagationPolicy=Background").ok()) {
      return false;
    }
    String parent = stake.path().substring(0, stake.path().lastIndexOf('/'));
    return Stream.generate(() -> api.post(parent, stake.manifest()))
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
    return !met().isEmpty();
  }

  @Override
  public List<String> effects() {
    return met().stream()
        .map(done -> "%s: %s of %s".formatted(name(), done.move(), kindOf(done.stake())))
        .toList();
  }

  private static String kindOf(Stake stake) {
    String[] parts = stake.path().split("/");
    return parts[parts.length - 2] + (stake.lever().equals(stake.path()) ? "" : " behind a scaler");
  }

  /** The moves that met a write of the product. */
  private List<Done> met() {
    List<AuditEntry> theirs = audit.of(opponent).stream().filter(AuditEntry::isWrite).toList();
    return done.stream()
        .filter(move -> theirs.stream().anyMatch(write -> isClose(write, move)))
        .toList();
  }

  private static boolean isClose(AuditEntry write, Done move) {
    return move.stake().isAt(write.uri())
        && Duration.between(write.at(), move.at()).abs().compareTo(CLOSE) <= 0;
  }
}
