package dev.fallow.adapters.prometheus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.fallow.bench.Replies;
import dev.fallow.core.idle.Samples;
import dev.fallow.core.idle.SeriesLabels;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.Map;
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

/**
 * How fast a reply of Prometheus is read: 512 series of 180 samples with an exporter's labels,
 * beside a bare walk over the same JSON's tokens.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 2, time = 3)
@Measurement(iterations = 3, time = 3)
@Fork(1)
public class ParserBenchmark {

  private static final JsonFactory JSON = new JsonFactory();
  private byte[] reply = {};

  /**
   * JMH divides both by the time that passed; one divided by the other is the speed on a processor
   * of one's own.
   */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Work {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    public double megabytes;
    public double cpuSeconds;
    private long begin;

    void begin() {
      begin = THREADS.getCurrentThreadCpuTime();
    }

    void done(byte[] read) {
      megabytes += read.length / 1e6;
      cpuSeconds += (THREADS.getCurrentThreadCpuTime() - begin) / 1e9;
    }
  }

  @Setup
  public void write() throws IOException {
    reply = Replies.ofMainSignal(512);
  }

  @Benchmark
  public void parse(Work work, Blackhole hole) throws IOException {
    work.begin();
    Instant base = Instant.ofEpochMilli(Replies.AT_MILLIS).minusSeconds(5400);
    ReadLimits limits = ReadLimits.forThisProcess();
    MatrixParser parser =
        new MatrixParser(
            new SampleRange(base.toEpochMilli(), Replies.AT_MILLIS),
            base,
            limits,
            new StringPool(limits.labelBytes()),
            (String metric, Map<String, String> labels, Samples samples) ->
                hole.consume(SeriesLabels.of(metric, labels)));
    hole.consume(parser.parse(new ByteArrayInputStream(reply)));
    work.done(reply);
  }

  @Benchmark
  public void tokens(Work work, Blackhole hole) throws IOException {
    work.begin();
    try (JsonParser json = JSON.createParser(new ByteArrayInputStream(reply))) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        hole.consume(token);
      }
    }
    work.done(reply);
  }
}
