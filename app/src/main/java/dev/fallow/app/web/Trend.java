package dev.fallow.app.web;

import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How many GPUs were in each state, hour by hour.
 *
 * @param begin the first hour that anything is known of
 * @param end of the last one
 */
record Trend(
    Instant begin, Instant end, Map<String, Map<GpuState, double[]>> cardHoursByNamespace) {

  static Trend of(List<GpuTime> times, Instant end) {
    Instant begin = times.stream().map(GpuTime::hour).min(Instant::compareTo).orElse(end);
    int hours = hours(begin, end);
    Map<String, Map<GpuState, double[]>> sums = new HashMap<>();
    for (GpuTime time : times) {
      int hour = hours(begin, time.hour());
      if (hour < hours) {
        sums.computeIfAbsent(time.namespace(), first -> new EnumMap<>(GpuState.class))
                .computeIfAbsent(time.state(), first -> new double[hours])[hour] +=
            time.cardHours();
      }
    }
    return new Trend(begin, end, sums);
  }

  private static int hours(Instant from, Instant to) {
    return (int) Math.max(0, Duration.between(from, to).toHours());
  }

  Set<String> namespaces() {
    return cardHoursByNamespace.keySet();
  }

  /** Of the namespaces that somebody may see. */
  Map<String, Object> fields(Predicate<String> sees) {
    List<Map<GpuState, double[]>> seen =
        cardHoursByNamespace.entrySet().stream()
            .filter(one -> sees.test(one.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("step", 3600);
    fields.put("from", begin);
    for (GpuState state : GpuState.values()) {
      double[] sums = new double[hours(begin, end)];
      for (Map<GpuState, double[]> one : seen) {
        double[] values = one.get(state);
        for (int i = 0; values != null && i < sums.length; i++) {
          sums[i] += values[i];
        }
      }
      List<Object> values = new ArrayList<>();
      for (double sum : sums) {
        values.add(Math.round(sum * 10) / 10.0);
      }
      fields.put(state.name().toLowerCase(Locale.ROOT), values);
    }
    return fields;
  }
}
