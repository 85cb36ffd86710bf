package dev.fallow.systemtests.faults;

import dev.fallow.app.Main;
import dev.fallow.app.command.StepsOfTests;
import dev.fallow.core.prune.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The program, but for one thing: it dies at the step that a file names, without a word and without
 * cleaning up but for a note of where. The file may appear while it runs; {@code AFTER_WRITE 2 Job}
 * means the next write of a Job or the second of any from then on.
 */
public final class HaltingMain {
  static final String ORDERS = "halt.file";
  private static final int KILLED = 137;

  private HaltingMain() {}

  public static void main(String[] words) {
    StepsOfTests.observe(new Orders(Path.of(System.getProperty(ORDERS, "none"))));
    Main.main(words);
  }

  private static final class Orders implements Step.Observer {
    private final Path file;
    private int seen;

    Orders(Path file) {
      this.file = file;
    }

    @Override
    public synchronized void reached(Step step, String kind) {
      String[] order = order();
      if (order.length == 3
          && order[0].equals(step.name())
          && (++seen >= Integer.parseInt(order[1]) || order[2].equals(kind))) {
        leaveWord(step, kind);
        Runtime.getRuntime().halt(KILLED);
      }
    }

    private void leaveWord(Step step, String kind) {
      try {
        Files.writeString(Path.of(file + ".died"), step + " " + (kind.isEmpty() ? "cycle" : kind));
      } catch (IOException e) {
        // It dies all the same.
      }
    }

    private String[] order() {
      try {
        return Files.exists(file) ? Files.readString(file).strip().split(" ") : new String[0];
      } catch (IOException e) {
        return new String[0];
      }
    }
  }
}
