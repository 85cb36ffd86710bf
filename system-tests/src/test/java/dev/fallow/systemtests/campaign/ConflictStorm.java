package dev.fallow.systemtests.campaign;

import dev.fallow.rig.ApiClient;
import dev.fallow.rig.AuditLog;
import dev.fallow.rig.RigException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Somebody writes the same workloads as fast as the API server lets them. It has taken effect when
 * a write of the product was refused because of it.
 */
final class ConflictStorm implements Fault {
  private static final int CONFLICT = 409;

  private final ApiClient api;
  private final Supplier<List<Stake>> workloads;
  private final AuditLog whole;
  private final String opponent;
  private final AtomicBoolean on = new AtomicBoolean();
  private final AtomicInteger count = new AtomicInteger();
  private AuditLog audit;
  private List<String> paths = List.of();
  private @Nullable ExecutorService threads;

  ConflictStorm(ApiClient api, Supplier<List<Stake>> workloads, AuditLog audit, String opponent) {
    this.api = api;
    this.workloads = workloads;
    this.whole = audit;
    this.audit = audit;
    this.opponent = opponent;
  }

  @Override
  public String name() {
    return "409 storm";
  }

  @Override
  public void start(RandomGenerator dice) {
    audit = whole.fromHere();
    paths = workloads.get().stream().map(Stake::path).toList();
    on.set(true);
    ExecutorService started = Executors.newVirtualThreadPerTaskExecutor();
    threads = started;
    paths.forEach(path -> started.execute(() -> write(path)));
  }

  private void write(String path) {
    while (on.get()) {
      try {
        api.patch(
            path,
            "{\"metadata\":{\"annotations\":{\"example.org/storm\":\"%d\"}}}"
                .formatted(count.incrementAndGet()));
      } catch (RigException e) {
        // Another outage at the same time; on with it.
      }
    }
  }

  @Override
  public void heal() {
    on.set(false);
    if (threads != null) {
      threads.shutdownNow();
      threads.close();
      threads = null;
    }
  }

  @Override
  public boolean waitsForPrey() {
    return !tookEffect();
  }

  @Override
  public boolean tookEffect() {
    return audit.of(opponent).stream()
        .filter(write -> write.isWrite() && write.code() == CONFLICT)
        .anyMatch(write -> paths.stream().anyMatch(write.uri()::startsWith));
  }
}
