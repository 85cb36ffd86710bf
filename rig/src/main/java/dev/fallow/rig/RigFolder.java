package dev.fallow.rig;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The folder with the data, keys and logs of one rig. It is removed at the end unless something
 * failed: then it is all there is to find out why.
 */
final class RigFolder {
  private static final int TAIL_BYTES = 3_000;
  private static final Set<RigFolder> OPEN = ConcurrentHashMap.newKeySet();
  private final Path path;
  private volatile boolean kept;

  RigFolder(String prefix) {
    try {
      this.path = Files.createTempDirectory(prefix);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    OPEN.add(this);
  }

  /** Keeps every folder that is in use now, and says where they are and how their logs end. */
  static String keepAndReportOpen() {
    OPEN.forEach(RigFolder::keep);
    return OPEN.stream().map(RigFolder::report).collect(Collectors.joining("\n"));
  }

  /** Releases every folder that is still in use. */
  static void releaseOpen() {
    OPEN.forEach(RigFolder::release);
  }

  Path path() {
    return path;
  }

  Path file(String name) {
    return path.resolve(name);
  }

  Path log(String process) {
    return file(process + ".log");
  }

  /** Writes a file in one step: whoever reads it meanwhile sees the old text or the new one. */
  Path write(String name, String text) {
    try {
      Path draft = Files.writeString(Files.createTempFile(path, name, ".draft"), text);
      return Files.move(draft, file(name), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String read(String name) {
    try {
      return Files.readString(file(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void keep() {
    kept = true;
  }

  /** Where the logs are and how each of them ends. */
  String report() {
    StringBuilder report = new StringBuilder("The rig's files are kept in " + path + "\n");
    for (Path log : logs()) {
      report.append("--- end of ").append(log).append('\n').append(tail(log));
    }
    return report.toString();
  }

  /** The end of a log, in whole lines. */
  static String tail(Path log) {
    String text = since(log, Math.max(0, size(log) - TAIL_BYTES));
    return text.length() < TAIL_BYTES ? text : text.substring(text.indexOf('\n') + 1);
  }

  /** What was written to a log from this offset on. */
  static String since(Path log, long offset) {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(offset);
      byte[] bytes = new byte[(int) Math.max(0, file.length() - offset)];
      file.readFully(bytes);
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  static long size(Path log) {
    try {
      return Files.exists(log) ? Files.size(log) : 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes the folder, or keeps it when something failed. */
  void release() {
    OPEN.remove(this);
    if (kept) {
      return;
    }
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> logs() {
    try (Stream<Path> files = Files.list(path)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
