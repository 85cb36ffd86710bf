package dev.fallow.rig;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;

/** Runs a program to its end. */
final class ShortCommand {
  private ShortCommand() {}

  /** Runs quietly; returns standard output, or fails with standard error in the message. */
  static String run(List<String> command) {
    return run(new ProcessBuilder(command));
  }

  /** Same, but standard error goes to this JVM's, for programs that show their progress there. */
  static String runShowingProgress(List<String> command) {
    return run(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT));
  }

  private static String run(ProcessBuilder builder) {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Process process = builder.start();
      LiveProcesses.add(process);
      process.getOutputStream().close();
      var errors = CompletableFuture.supplyAsync(() -> readAll(process.getErrorStream()), threads);
      String output = readAll(process.getInputStream());
      int code = process.waitFor();
      if (code != 0) {
        throw new RigException(
            "exit code " + code + " of " + builder.command() + "\n" + errors.join() + output);
      }
      return output;
    } catch (IOException e) {
      throw new RigException("cannot run " + builder.command(), e);
    } catch (InterruptedException e) {
      throw Poll.interrupted(e);
    }
  }

  private static String readAll(InputStream stream) {
    try (stream) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
