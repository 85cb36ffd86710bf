package dev.fallow.rig;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The programs of the rig, built by {@code build.sh} on first use. Prometheus and promtool are not
 * among them: they are taken from the PATH, and the script sees to it that they are there.
 *
 * @param controlPlane the servers of Kubernetes and kubectl in one file
 * @param kwok the stand-in for kubelets
 * @param stages KWOK's rules of how nodes and pods come to life
 */
public record RigBinaries(Path controlPlane, Path kwok, Path stages) {
  /** System property that names the folder of {@code build.sh}. */
  public static final String HOME_PROPERTY = "fallow.rig.home";

  /** Finds the programs, building them if need be; that takes minutes the first time. */
  public static RigBinaries locate() {
    return Located.BINARIES;
  }

  /** Runs the script once per JVM, and only when somebody asks. */
  private static final class Located {
    private static final RigBinaries BINARIES = build(home());
  }

  private static RigBinaries build(Path home) {
    String script = home.resolve("build.sh").toString();
    Path folder = Path.of(ShortCommand.runShowingProgress(List.of(script)).strip());
    return new RigBinaries(
        folder.resolve("controlplane"), folder.resolve("kwok"), folder.resolve("stages.yaml"));
  }

  /** The folder of {@code build.sh} and of the scripts beside it. */
  static Path home() {
    String configured = System.getProperty(HOME_PROPERTY);
    if (configured != null) {
      return Path.of(configured);
    }
    Path start = Path.of("").toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      Path home = folder.resolve("rig");
      if (Files.isExecutable(home.resolve("build.sh"))) {
        return home;
      }
    }
    throw new RigException(
        "no rig/build.sh in or above " + start + "; set the property " + HOME_PROPERTY);
  }
}
