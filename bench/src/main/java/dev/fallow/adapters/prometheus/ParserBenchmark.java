package dev.fallow.adapters.prometheus;

import dev.fallow.bench.Replies;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** How fast a reply of Prometheus is read: 512 series of 180 samples with an exporter's labels. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 3)
@Fork(1)
public class ParserBenchmark {

  private byte[] reply = {};

  /** JMH divides it by the time: millions of bytes a second. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Megabytes {
    public double megabytes;
  }

  @Setup
  public void write() throws IOException {
    reply = Replies.ofMainSignal(512);
  }

  @Benchmark
  public void parse(Megabytes count, Blackhole hole) throws IOException {
    Instant base = Instant.ofEpochMilli(Replies.AT_MILLIS).minusSeconds(5400);
    ReadLimits limits = ReadLimits.forThisProcess();
    MatrixParser parser =
        new MatrixParser(
            new SampleRange(base.toEpochMilli(), Replies.AT_MILLIS),
            base,
            limits,
            new StringPool(limits.labelCharacters()),
            (SeriesLabels labels, long fingerprint, Samples samples) -> hole.consume(samples));
    hole.consume(parser.parse(new ByteArrayInputStream(reply)));
    count.megabytes += reply.length / 1e6;
  }
}
