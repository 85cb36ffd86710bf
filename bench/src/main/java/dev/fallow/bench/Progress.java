package dev.fallow.bench;

/** Tells a waiting person what goes on, apart from the figures. */
final class Progress {

  private static final long BEGIN = System.nanoTime();

  private Progress() {}

  static void say(String what) {
    System.err.printf("%5.0f s  %s%n", (System.nanoTime() - BEGIN) / 1e9, what);
  }
}
