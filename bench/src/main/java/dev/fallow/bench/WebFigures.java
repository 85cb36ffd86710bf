package dev.fallow.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long answers of the dashboard's server take as the fleet grows, and what open pages cost it:
 * with none, with many that each get every change, and with some of them that see a part of it; and
 * whether many who ask for all rows at once can end it. The heap is that of the manifest.
 */
public final class WebFigures {

  private static final int ASKED = 300;
  private static final int LOOKS = 10;

  /** Of this many pages one sees a part of the fleet, one of as many parts as there are. */
  private static final int ONE_IN = 5;

  /** Who ask for everything at the same time. */
  private static final int CROWD = 40;

  /** As bin/fallow sets it under the limit of deploy/base/deployment.yaml: 384 MiB less 96. */
  private static final List<String> HEAP =
      List.of(
          "-Xmx288m",
          "-Xms48m",
          "-Xmn24m",
          "-XX:MinHeapFreeRatio=8",
          "-XX:MaxHeapFreeRatio=20",
          "-XX:-ShrinkHeapInSteps",
          "-XX:+ExitOnOutOfMemoryError");

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private WebFigures() {}

  /**
   * @param arguments the open pages, the number of GPU pods, and then how many times they are shown
   */
  public static void main(String... arguments) throws Exception {
    int pages = Integer.parseInt(arguments[0]);
    for (int i = 2; i < arguments.length; i++) {
      measure(pages, arguments[1], arguments[i]);
    }
  }

  private static void measure(int pages, String pods, String times) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElseThrow());
    command.addAll(
        List.of("-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders", "-XX:TieredStopAtLevel=1"));
    command.addAll(HEAP);
    command.add("-Dfallow.http.perSecond=100000");
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(WebServer.class.getName(), pods, times));
    Process server =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader said = server.inputReader()) {
      String[] first = said.readLine().split(" ");
      URI base = URI.create("http://127.0.0.1:" + first[0]);
      String which = "web, " + first[1] + " workloads";
      Map<String, String> paths = new LinkedHashMap<>();
      paths.put("a page of 100", "/api/v1/workloads?limit=100");
      paths.put("a search", "/api/v1/workloads?q=train&limit=100&sort=-use");
      paths.put("all rows", "/api/v1/workloads?limit=10000");
      paths.put("the summary", "/api/v1/summary");
      for (Map.Entry<String, String> path : paths.entrySet()) {
        System.out.println(
            which + ", " + path.getKey() + ": " + asked(base.resolve(path.getValue())));
      }
      System.out.println(which + ", " + CROWD + " ask for all rows at once: " + crowd(base));
      System.out.println(which + ", no page open: " + looks(server, said));
      List<InputStream> open = new ArrayList<>();
      AtomicLong bytes = new AtomicLong();
      for (int i = 0; i < pages; i++) {
        InputStream stream =
            stream(base, i % ONE_IN == 0 ? i / ONE_IN % Integer.parseInt(times) : -1);
        open.add(stream);
        Thread.ofVirtual().start(() -> drink(stream, bytes));
      }
      long before = bytes.get();
      System.out.println(which + ", " + pages + " pages open: " + looks(server, said));
      System.out.printf(
          "%s, %d pages open: %.1f KB a page and look%n",
          which, pages, (bytes.get() - before) / 1024.0 / pages / LOOKS);
      for (InputStream stream : open) {
        stream.close();
      }
    } finally {
      server.destroy();
      server.waitFor();
    }
  }

  /** What they are answered; who is sent away may come again. */
  private static String crowd(URI base) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(base.resolve("/api/v1/workloads?limit=10000")).build();
    AtomicLong served = new AtomicLong();
    AtomicLong sentAway = new AtomicLong();
    List<Thread> crowd = new ArrayList<>();
    for (int i = 0; i < CROWD; i++) {
      crowd.add(
          Thread.ofVirtual()
              .start(() -> {
                try {
                  int status =
                      HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
                  (status == 200 ? served : sentAway).incrementAndGet();
                } catch (IOException | InterruptedException cut) {
                  // Neither; the sum shows it.
                }
              }));
    }
    for (Thread one : crowd) {
      one.join();
    }
    return served + " are served, " + sentAway + " sent away";
  }

  /** Half-way and at the worst but one in a hundred, one after the other. */
  private static String asked(URI uri) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build();
    int times = uri.toString().endsWith("limit=10000") ? ASKED / 10 : ASKED;
    long[] nanos = new long[times];
    int length = 0;
    for (int i = -times; i < times; i++) {
      long begin = System.nanoTime();
      HttpResponse<byte[]> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofByteArray());
      if (i >= 0) {
        nanos[i] = System.nanoTime() - begin;
      }
      if (answer.statusCode() != 200) {
        throw new IOException(uri + ": " + answer.statusCode());
      }
      length = answer.body().length;
    }
    Arrays.sort(nanos);
    return "p50 %.1f ms, p99 %.1f ms, %d KB"
        .formatted(nanos[times / 2] / 1e6, nanos[times * 99 / 100] / 1e6, length / 1024);
  }

  /** Processor time of a new look, shown and told to whoever listens, and the memory after all. */
  private static String looks(Process server, BufferedReader said) throws Exception {
    double before = cpu(server);
    long begin = System.nanoTime();
    for (int i = 0; i < LOOKS; i++) {
      server.outputWriter().write('\n');
      server.outputWriter().flush();
      if (said.readLine() == null) {
        throw new IOException("the server has ended");
      }
    }
    // What was shown is still on its way to the pages.
    Thread.sleep(2_000);
    Vitals vitals = Vitals.of(server.pid());
    return "%.2f s of the processor a look, %.1f s in all; %.0f MiB resident, %d threads"
        .formatted(
            (cpu(server) - before) / LOOKS,
            (System.nanoTime() - begin) / 1e9 - 2,
            vitals.residentKiB() / 1024.0,
            vitals.threads());
  }

  private static double cpu(Process server) {
    return server.info().totalCpuDuration().orElseThrow().toNanos() / 1e9;
  }

  /**
   * @param part of the fleet that is seen; all of it if negative
   */
  private static InputStream stream(URI base, int part) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(base.resolve("/api/v1/stream"))
            .header("Accept", "text/event-stream");
    if (part >= 0) {
      request.header(WebServer.SEES, Integer.toString(part));
    }
    HttpResponse<InputStream> answer =
        HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    if (answer.statusCode() != 200) {
      throw new IOException(
          "stream: " + new String(answer.body().readAllBytes(), StandardCharsets.UTF_8));
    }
    return answer.body();
  }

  private static void drink(InputStream stream, AtomicLong bytes) {
    byte[] buffer = new byte[16_384];
    try {
      for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
        bytes.addAndGet(read);
      }
    } catch (IOException closed) {
      // As it ends.
    }
  }
}
