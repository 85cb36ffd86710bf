package dev.fallow.systemtests.campaign;

import dev.fallow.rig.RigProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A server is killed (SIGKILL), and comes back on the same data and port at once or only when the
 * fault is healed, as the dice fall; or it is frozen (SIGSTOP) for the time.
 */
final class ServerOutage implements Fault {
  /** How it goes down. */
  enum Way {
    KILL,
    FREEZE
  }

  /** What follows from it for the checker. */
  enum Means {
    /** Nothing. */
    NOTHING,
    /** Writes may go unlogged around the kill. */
    BLIND,
    /** There is no evidence. */
    DARK
  }

  /** Requests under way when a server is killed were received this long before at most. */
  private static final Duration REACH = Duration.ofSeconds(5);

  private final RigProcess process;
  private final Way way;
  private final Means means;
  private final Runnable settled;
  private final List<Span> outages = new ArrayList<>();
  private Instant since = Instant.MAX;
  private boolean down;

  /**
   * @param settled returns when clients can work with the server again
   */
  ServerOutage(RigProcess process, Way way, Means means, Runnable settled) {
    this.process = process;
    this.way = way;
    this.means = means;
    this.settled = settled;
  }

  @Override
  public String name() {
    return (way == Way.KILL ? "kill " : "freeze ") + process.name();
  }

  /** One server that is back waits for the other that is not. */
  @Override
  public String group() {
    return "servers";
  }

  @Override
  public void start(RandomGenerator dice) {
    outages.clear();
    since = Instant.now();
    down = true;
    if (way == Way.FREEZE) {
      process.freeze();
    } else {
      process.kill();
      if (dice.nextBoolean()) {
        heal();
      }
    }
  }

  @Override
  public void heal() {
    if (!down) {
      return;
    }
    if (way == Way.FREEZE) {
      process.thaw();
    } else {
      process.start();
    }
    settled.run();
    down = false;
    outages.add(new Span(since, Instant.now()));
  }

  /**
   * Nobody can overlook that a server was gone: what is asked of it in that time fails or waits.
   */
  @Override
  public boolean tookEffect() {
    return !outages.isEmpty();
  }

  @Override
  public List<Darkness> dark() {
    return means == Means.DARK
        ? outages.stream().map(span -> new Darkness(span, name())).toList()
        : List.of();
  }

  @Override
  public List<Span> blind() {
    return means == Means.BLIND
        ? outages.stream().map(span -> new Span(span.from().minus(REACH), span.to())).toList()
        : List.of();
  }
}
