package dev.fallow.app.web;

import dev.fallow.app.Remembered;
import dev.fallow.app.autoscale.HpaReckoner;
import dev.fallow.app.output.HpaText;
import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.Hpa;
import dev.fallow.core.autoscale.Surroundings;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.server.autoscale.AutoscalerSource;
import dev.fallow.server.fleet.WorkloadItem;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The autoscalers of a workload, looked up when somebody asks and over the objects that the last
 * look saw. One reading at a time; whoever asks for the same within seconds gets what it found.
 */
public final class LiveAutoscalers implements AutoscalerSource {

  private static final Duration REMEMBERED = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int MOST_REMEMBERED = 500;

  /** What was found, or why nothing could be. */
  private record Answer(List<Map<String, Object>> items, Optional<Unavailable> away) {}

  private final FleetBoard board;
  private final Function<String, List<Hpa>> hpas;
  private final BiFunction<String, List<Hpa>, Surroundings> around;
  private final Supplier<HpaReckoner> opening;
  private final Remembered<Answer> answers = new Remembered<>(MOST_REMEMBERED);
  private final ReentrantLock turn = new ReentrantLock(true);

  /** Opened by the first who needs it: most clusters have no such autoscaler. */
  private @Nullable HpaReckoner reckoner;

  /**
   * @param hpas those of a namespace; may throw {@link Unavailable}
   * @param around the Services of a namespace that autoscalers name; may throw {@link Unavailable}
   * @param opening asked again only if it throws {@link Unavailable}
   */
  public LiveAutoscalers(
      FleetBoard board,
      Function<String, List<Hpa>> hpas,
      BiFunction<String, List<Hpa>, Surroundings> around,
      Supplier<HpaReckoner> opening) {
    this.board = board;
    this.hpas = hpas;
    this.around = around;
    this.opening = opening;
  }

  /** A paused workload has none: what is scaled to nothing is left alone by its autoscaler. */
  @Override
  public List<Map<String, Object>> of(WorkloadItem item) {
    Optional<ClusterState> cluster = board.cluster();
    Optional<Workload> workload =
        board.decision(item).map(decision -> decision.assessment().workload());
    if (item.state().equals("PAUSED") || cluster.isEmpty() || workload.isEmpty()) {
      return List.of();
    }
    Answer answer =
        remembered(item.workload(), () -> inTurn(item.workload(), workload.get(), cluster.get()));
    answer
        .away()
        .ifPresent(away -> {
          throw new Unavailable(
              away.source(), String.valueOf(away.getMessage()), away.retryable(), away);
        });
    return answer.items();
  }

  /** From when it was found, however long that took. */
  private Answer remembered(String name, Supplier<Answer> ask) {
    long begun = System.nanoTime();
    return answers.get(name, ask, found -> REMEMBERED.plusNanos(System.nanoTime() - begun));
  }

  /** Whoever comes to turn may find that somebody before them has asked the same. */
  private Answer inTurn(String name, Workload workload, ClusterState cluster) {
    try {
      if (!turn.tryLock(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new Unavailable("metrics", "others are being answered; try again in a moment", true);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new Unavailable("metrics", "the program is ending", false, stopped);
    }
    try {
      return remembered(name, () -> look(workload, cluster));
    } finally {
      turn.unlock();
    }
  }

  private Answer look(Workload workload, ClusterState cluster) {
    try {
      List<Hpa> mine =
          hpas.apply(workload.namespace()).stream().filter(hpa -> scales(hpa, workload)).toList();
      if (mine.isEmpty()) {
        return new Answer(List.of(), Optional.empty());
      }
      HpaReckoner open = reckoner == null ? opening.get() : reckoner;
      reckoner = open;
      return new Answer(
          open.of(mine, cluster, around.apply(workload.namespace(), mine)).stream()
              .map(one -> new HpaText(one).fields())
              .toList(),
          Optional.empty());
    } catch (Unavailable away) {
      return new Answer(List.of(), Optional.of(away));
    }
  }

  private static boolean scales(Hpa hpa, Workload workload) {
    return Stream.concat(Stream.of(workload.root()), workload.chain().stream().map(OwnerObject::id))
        .anyMatch(hpa::aimsAt);
  }
}
