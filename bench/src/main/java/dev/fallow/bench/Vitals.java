package dev.fallow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What the kernel says of a running process.
 *
 * @param residentKiB memory now
 * @param peakKiB its highest so far
 * @param handles open files, sockets and the like
 */
record Vitals(long residentKiB, long peakKiB, long threads, long handles) {

  static Vitals of(long pid) throws IOException {
    Path process = Path.of("/proc", "" + pid);
    String status = Files.readString(process.resolve("status"));
    try (Stream<Path> handles = Files.list(process.resolve("fd"))) {
      return new Vitals(
          field(status, "VmRSS:"),
          field(status, "VmHWM:"),
          field(status, "Threads:"),
          handles.count());
    }
  }

  private static long field(String status, String name) {
    return status
        .lines()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElseThrow();
  }
}
