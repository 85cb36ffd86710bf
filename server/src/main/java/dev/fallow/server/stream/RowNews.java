package dev.fallow.server.stream;

import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.WorkloadItem;
import dev.fallow.server.fleet.WrittenFields;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a look has brought to one workload: the fields that have other values now, and those that
 * have gone, as null. Of its curve, which every look moves on, only how it ends.
 *
 * @param fields the workload's name among them
 */
record RowNews(String namespace, WrittenFields fields) {

  private static final String CURVE = "spark";
  private static final String STEP = "sparkStep";

  /** Less than one of the few pixels that a curve is high. */
  private static final double NEAR = 0.05;

  /** By how many points the curves of one picture have left those of the one before behind. */
  static int steps(FleetPicture before, FleetPicture now) {
    long seconds =
        now.items().stream()
            .map(item -> item.fields().get(STEP))
            .filter(Number.class::isInstance)
            .mapToLong(step -> ((Number) step).longValue())
            .findFirst()
            .orElse(0);
    return seconds <= 0
        ? 0
        : Math.clamp(place(now.at(), seconds) - place(before.at(), seconds), 0, 1_000);
  }

  private static long place(Instant at, long seconds) {
    return Math.floorDiv(at.getEpochSecond(), seconds);
  }

  /**
   * Nothing where nothing is new.
   *
   * @param steps see {@link #steps}
   */
  static Optional<RowNews> between(WorkloadItem before, WorkloadItem now, int steps) {
    Map<String, Object> was = before.fields();
    Map<String, Object> is = now.fields();
    Map<String, Object> news = new LinkedHashMap<>();
    is.forEach((name, value) -> {
      if (!name.equals(CURVE) && !Objects.equals(value, was.get(name))) {
        news.put(name, value);
      }
    });
    was.keySet().stream()
        .filter(name -> !is.containsKey(name))
        .forEach(name -> news.put(name, Optional.empty()));
    if (is.get(CURVE) instanceof List<?> curve && !curve.equals(was.get(CURVE))) {
      int latest =
          was.get(CURVE) instanceof List<?> old && !news.containsKey(STEP)
              ? latest(old, curve, steps)
              : curve.size();
      if (latest > curve.size() / 2) {
        news.put(CURVE, curve);
      } else if (latest > 0) {
        news.put("sparkNew", curve.subList(curve.size() - latest, curve.size()));
      }
    }
    if (news.isEmpty()) {
      return Optional.empty();
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", now.workload());
    fields.putAll(news);
    return Optional.of(new RowNews(now.namespace(), WrittenFields.of(fields)));
  }

  /**
   * How many of the last points are not those that were there before, some steps further right. The
   * newest of then are often among them: what a card did in a minute may be known after it.
   */
  private static int latest(List<?> old, List<?> curve, int steps) {
    if (old.size() != curve.size()) {
      return curve.size();
    }
    int same = 0;
    while (same + steps < old.size() && near(old.get(same + steps), curve.get(same))) {
      same++;
    }
    return curve.size() - same;
  }

  private static boolean near(@Nullable Object one, @Nullable Object other) {
    if (one instanceof Double a && other instanceof Double b) {
      return Math.abs(a - b) <= NEAR;
    }
    return Objects.equals(one, other);
  }
}
