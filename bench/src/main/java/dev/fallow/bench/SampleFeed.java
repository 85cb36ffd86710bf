package dev.fallow.bench;

import dev.fallow.core.idle.Signal;
import java.io.IOException;
import java.net.URI;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Tells Prometheus the fleet's samples while time goes on: first those that lead up to its moment,
 * then each as it falls due.
 */
final class SampleFeed implements AutoCloseable {

  private static final int SAMPLES_AT_ONCE = 10;
  private static final int SERIES_AT_ONCE = 2_000;

  private final BenchFleet fleet;
  private final RemoteWrite prometheus;
  private final byte[][] labels;
  private final Thread thread;
  private int newest;

  SampleFeed(BenchFleet fleet, URI prometheus) {
    this.fleet = fleet;
    this.prometheus = new RemoteWrite(prometheus);
    this.labels = new byte[fleet.pods() * BenchFleet.SIGNALS.size()][];
    this.thread = Thread.ofPlatform().daemon().name("samples").unstarted(this::goOn);
  }

  /** Prometheus takes samples in the order of their times, so it is told all of a time at once. */
  void past() throws IOException, InterruptedException {
    int oldest = BenchFleet.SIGNALS.stream().mapToInt(fleet::samples).max().orElseThrow();
    for (int first = oldest; first > 0; first -= SAMPLES_AT_ONCE) {
      send(first - 1, Math.max(0, first - SAMPLES_AT_ONCE));
    }
  }

  void start() {
    thread.start();
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private void goOn() {
    try {
      while (true) {
        newest--;
        long due = fleet.millis(0, newest);
        Thread.sleep(Math.max(0, due - System.currentTimeMillis()));
        send(newest, newest);
      }
    } catch (InterruptedException closed) {
      // That is how it ends.
    } catch (IOException failed) {
      Progress.say("the samples stop: " + failed);
    }
  }

  /** Samples are counted backwards from the fleet's moment; later ones are below zero. */
  private void send(int first, int last) throws IOException, InterruptedException {
    int open = 0;
    for (int pod = 0; pod < fleet.pods(); pod++) {
      for (int signal = 0; signal < BenchFleet.SIGNALS.size(); signal++) {
        Signal one = BenchFleet.SIGNALS.get(signal);
        int from = Math.min(first, fleet.samples(one) - 1);
        if (from < last) {
          continue;
        }
        prometheus.series(labels(pod, signal));
        for (int sample = from; sample >= last; sample--) {
          prometheus.sample(fleet.millis(pod, sample), fleet.value(pod, one, sample));
        }
        if (++open == SERIES_AT_ONCE) {
          prometheus.send();
          open = 0;
        }
      }
    }
    prometheus.send();
  }

  private byte[] labels(int pod, int signal) {
    int index = pod * BenchFleet.SIGNALS.size() + signal;
    if (labels[index] == null) {
      SortedMap<String, String> named = new TreeMap<>(fleet.labels(pod));
      named.put("__name__", BenchFleet.SIGNALS.get(signal).metrics().getFirst());
      labels[index] = RemoteWrite.labels(named);
    }
    return labels[index];
  }
}
