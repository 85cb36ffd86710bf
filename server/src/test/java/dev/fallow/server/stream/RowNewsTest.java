package dev.fallow.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fallow.server.JsonText;
import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.WorkloadItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowNewsTest {

  private static WorkloadItem row(String curve, Object... fields) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("workload", "Deployment/ml/a");
    for (int i = 0; i < fields.length; i += 2) {
      all.put((String) fields[i], fields[i + 1]);
    }
    List<Object> points = new ArrayList<>();
    curve.chars().forEach(c -> points.add(c == '-' ? null : (c - '0') / 10.0));
    all.put("spark", points);
    all.put("sparkStep", 60);
    return new WorkloadItem(
        "Deployment/ml/a",
        "ml",
        "Deployment",
        "a",
        "IDLE",
        "IDLE",
        "",
        0,
        0,
        1,
        OptionalDouble.empty(),
        Optional.empty(),
        all);
  }

  private static String news(WorkloadItem before, WorkloadItem now, int steps) {
    return RowNews.between(before, now, steps)
        .map(news -> JsonText.of(news.fields()).replace("{\"workload\":\"Deployment/ml/a\",", "{"))
        .orElse("nothing");
  }

  @Test
  void fieldsThatStayAreNotSaidAgain() {
    WorkloadItem before = row("00", "use", 0.1, "sentence", "idle", "pausesAt", "noon");
    WorkloadItem now = row("00", "use", 0.2, "sentence", "idle", "keep", Map.of("by", "eve"));
    assertThat(news(before, now, 2))
        .isEqualTo("{\"use\":0.2,\"keep\":{\"by\":\"eve\"},\"pausesAt\":null}");
    assertThat(news(before, before, 2)).isEqualTo("nothing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "12345678 | 23456789 | 1 | {\"sparkNew\":[0.9]}",
        "12345678 | 45678912 | 3 | {\"sparkNew\":[0.9,0.1,0.2]}",
        "1234567- | 34567890 | 2 | {\"sparkNew\":[0.8,0.9,0.0]}",
        "00000000 | 00000000 | 3 | nothing",
        "--------|--------| 3 | nothing",
        "12345678 | 98765432 | 1 | {\"spark\":[0.9,0.8,0.7,0.6,0.5,0.4,0.3,0.2]}",
        "1234 | 12345678 | 1 | {\"spark\":[0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8]}",
        "12345678 | 12345679 | 0 | {\"sparkNew\":[0.9]}",
      })
  void ofACurveOnlyItsEndIsSaid(String before, String now, int steps, String said) {
    assertThat(news(row(before), row(now), steps)).isEqualTo(said);
  }

  @ParameterizedTest
  @CsvSource({"0,59,0", "0,60,1", "59,61,1", "0,180,3", "30,200,3", "180,0,0"})
  void aCurveMovesOnByWholeSteps(long before, long now, int steps) {
    assertThat(RowNews.steps(at(before), at(now))).isEqualTo(steps);
  }

  private static FleetPicture at(long second) {
    return new FleetPicture(
        1, Instant.ofEpochSecond(second), List.of(row("00")), Map.of(), List.of());
  }
}
