package dev.fallow.adapters.prometheus;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.fallow.core.idle.Samples;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;

/**
 * Whatever comes over the wire is an answer or a failure that is declared. With {@code
 * JAZZER_FUZZ=1} in the environment it searches for what is not; otherwise it goes through the
 * inputs kept beside it.
 */
class MatrixParserFuzzTest {

  private static final Instant AT = Instant.parse("2026-11-02T12:00:00Z");
  private static final SampleRange RANGE =
      new SampleRange(AT.minus(Duration.ofMinutes(30)).toEpochMilli(), AT.toEpochMilli());
  private static final ReadLimits LIMITS = new ReadLimits(1 << 20, 100, 10_000, 1000, 100_000);

  @FuzzTest(maxDuration = "30s")
  void anyBytesAreAnAnswerOrADeclaredFailure(byte[] body) {
    SeriesStore store = new SeriesStore(LIMITS);
    store.beginAnswer(RANGE);
    MatrixParser.Sink sink =
        (metric, labels, samples) -> {
          check(samples);
          store.take(metric, labels, samples);
        };
    try {
      new MatrixParser(RANGE, Instant.ofEpochMilli(RANGE.after()), LIMITS, store.pool(), sink)
          .parse(new BoundedBody(new ByteArrayInputStream(body), LIMITS.bodyBytes()));
    } catch (IOException declared) {
      if (ReplyProblem.of(declared).sentence().isBlank()) {
        throw new AssertionError("a failure without a sentence", declared);
      }
    }
  }

  private static void check(Samples samples) {
    for (int i = 0; i < samples.size(); i++) {
      boolean ordered = i == 0 || samples.millis(i - 1) <= samples.millis(i);
      if (!ordered || !RANGE.contains(samples.millis(i))) {
        throw new AssertionError("a sample out of order or out of range");
      }
    }
  }
}
