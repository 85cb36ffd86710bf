package dev.fallow.systemtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A cgroup with a memory limit, as a container has one, for a process to start in. */
final class MemoryGroup implements AutoCloseable {

  private static final Path OLD = Path.of("/sys/fs/cgroup/memory");
  private static final Path NEW = Path.of("/sys/fs/cgroup");

  private final Path folder;
  private final boolean old;

  private MemoryGroup(Path folder, boolean old) {
    this.folder = folder;
    this.old = old;
  }

  /** Nothing where this machine or this user cannot have one. */
  static Optional<MemoryGroup> of(int mebibytes) {
    boolean old = Files.isDirectory(OLD);
    Path folder = (old ? OLD : NEW).resolve("fallow-test-" + UUID.randomUUID());
    String bytes = Long.toString(mebibytes * 1048576L);
    try {
      Files.createDirectory(folder);
      Files.writeString(folder.resolve(old ? "memory.limit_in_bytes" : "memory.max"), bytes);
      return Optional.of(new MemoryGroup(folder, old));
    } catch (IOException impossible) {
      folder.toFile().delete();
      return Optional.empty();
    }
  }

  /** The command, entering the group before it becomes what it runs. */
  List<String> around(List<String> command) {
    List<String> all = new ArrayList<>();
    all.addAll(List.of("sh", "-c", "echo $$ >\"$0\" && exec \"$@\""));
    all.add(folder.resolve("cgroup.procs").toString());
    all.addAll(command);
    return all;
  }

  /** What the group held at most, the kernel's cache of files included. */
  long peakMebibytes() throws IOException {
    String file = old ? "memory.max_usage_in_bytes" : "memory.peak";
    return Long.parseLong(Files.readString(folder.resolve(file)).strip()) / 1048576;
  }

  /** What it holds now that the kernel could not take back: no cache of files. */
  long anonymousMebibytes() throws IOException {
    String name = old ? "total_rss " : "anon ";
    return Files.readAllLines(folder.resolve("memory.stat")).stream()
            .filter(line -> line.startsWith(name))
            .mapToLong(line -> Long.parseLong(line.substring(name.length())))
            .sum()
        / 1048576;
  }

  /** How many processes the kernel has killed for want of memory. */
  long kills() throws IOException {
    return Files.readAllLines(folder.resolve(old ? "memory.oom_control" : "memory.events")).stream()
        .filter(line -> line.startsWith("oom_kill "))
        .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
        .sum();
  }

  /** Succeeds once the processes are gone. */
  @Override
  public void close() {
    folder.toFile().delete();
  }
}
