package dev.fallow.bench;

import dev.fallow.rig.RigBinaries;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32;

/**
 * The fleet's samples as Prometheus keeps them. Millions of samples take minutes to write, so they
 * are kept in the rig's cache, under a name that changes with what they say.
 */
final class SampleBlocks {

  private SampleBlocks() {}

  /** The folder of blocks, made if it is not there. */
  static Path of(BenchFleet fleet) throws IOException, InterruptedException {
    Path cache = RigBinaries.locate().controlPlane().getParent().getParent();
    Path folder = cache.resolve("samples-" + fleet.pods() + "-" + version(fleet));
    if (!Files.isDirectory(folder)) {
      Path draft = Files.createTempDirectory(cache, "samples-draft-");
      write(fleet, draft);
      Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
    }
    return folder;
  }

  private static void write(BenchFleet fleet, Path folder)
      throws IOException, InterruptedException {
    Path text = Files.createTempFile("fallow-bench-", ".om");
    try {
      try (BufferedWriter out = Files.newBufferedWriter(text)) {
        new SampleText(fleet).openMetrics(out);
      }
      Progress.say(fleet.pods() + " pods: the samples are written; promtool reads them");
      int exit =
          new ProcessBuilder(
                  "promtool",
                  "tsdb",
                  "create-blocks-from",
                  "openmetrics",
                  text.toString(),
                  folder.toString())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start()
              .waitFor();
      if (exit != 0) {
        throw new IllegalStateException("promtool ended with " + exit);
      }
    } finally {
      Files.delete(text);
    }
  }

  /** Two nodes say in what form all the others are. */
  private static String version(BenchFleet fleet) throws IOException {
    StringWriter text = new StringWriter();
    BenchFleet twoNodes =
        new BenchFleet(2 * BenchFleet.GPUS_OF_NODE, fleet.idle(), fleet.of())
            .ofReplicas(fleet.replicas())
            .at(fleet.at());
    new SampleText(twoNodes).openMetrics(text);
    CRC32 sum = new CRC32();
    sum.update(text.toString().getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(sum.getValue());
  }
}
