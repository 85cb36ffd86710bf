package dev.fallow.systemtests;

import dev.fallow.rig.RigPrometheus;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a daemon is called that looks at a rig every two seconds. */
final class DaemonWords {

  private DaemonWords() {}

  static List<String> of(Path kubeconfig, RigPrometheus prometheus, Path ledger, String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "prune",
                "-d",
                "-c",
                "2",
                "--kubeconfig",
                kubeconfig.toString(),
                "--prometheus-url",
                prometheus.url().toString(),
                "--ledger",
                ledger.toString()));
    words.addAll(List.of(more));
    return words;
  }
}
