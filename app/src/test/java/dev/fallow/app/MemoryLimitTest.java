package dev.fallow.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's reading of the memory limit, on the files that the kernel would show. */
class MemoryLimitTest {

  @TempDir Path folder;

  @Test
  void theLimitOfTheNewInterfaceIsThatOfTheContainer() throws Exception {
    limit("memory.max", "134217728");
    assertThat(read("0::/")).isEqualTo("128");
  }

  @Test
  void theLimitOfTheOldInterfaceIsReadFromItsOwnTree() throws Exception {
    limit("memory/memory.limit_in_bytes", "268435456");
    assertThat(read("5:cpu,cpuacct:/", "4:memory:/", "0::/")).isEqualTo("256");
  }

  @Test
  void thePathOfTheHostThatAContainerDoesNotSeeEndsAtItsOwnLimit() throws Exception {
    limit("memory/memory.limit_in_bytes", "134217728");
    assertThat(read("4:memory:/kubepods/burstable/pod1/abc")).isEqualTo("128");
  }

  @Test
  void theLeastLimitOnTheWayUpBinds() throws Exception {
    limit("system.slice/memory.max", "104857600");
    limit("system.slice/fallow.service/memory.max", "max");
    limit("memory.max", "209715200");
    assertThat(read("0::/system.slice/fallow.service")).isEqualTo("100");
  }

  @Test
  void noLimitIsNothing() throws Exception {
    limit("memory.max", "max");
    limit("memory/memory.limit_in_bytes", "9223372036854771712");
    assertThat(read("4:memory:/", "0::/")).isEmpty();
    assertThat(read("0::/somewhere/else")).isEmpty();
  }

  @Test
  void whereThereAreNoGroupsThereIsNoLimit() throws Exception {
    assertThat(run(folder.resolve("none"))).isEmpty();
  }

  private void limit(String file, String text) throws IOException {
    Path at = folder.resolve("mount").resolve(file);
    Files.createDirectories(at.getParent());
    Files.writeString(at, text + "\n");
  }

  private String read(String... lines) throws Exception {
    return run(Files.writeString(folder.resolve("groups"), String.join("\n", lines) + "\n"));
  }

  private String run(Path groups) throws Exception {
    Path script = Path.of(System.getProperty("fallow.root"), "bin", "memory-limit.sh");
    Process process =
        new ProcessBuilder(
                "sh", script.toString(), groups.toString(), folder.resolve("mount").toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return said.strip();
  }
}
