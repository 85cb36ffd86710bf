package dev.fallow.adapters.scrape;

import java.util.List;
import java.util.stream.Stream;

/**
 * One look at every exporter.
 *
 * @param targets that there were
 * @param answered of them
 * @param problems what kept the others from answering, for people; not more than a page
 */
public record ScrapeRound(int targets, int answered, List<String> problems) {

  private static final int MOST_PROBLEMS = 20;

  public ScrapeRound {
    int more = problems.size() - MOST_PROBLEMS;
    List<String> sorted = problems.stream().sorted().limit(MOST_PROBLEMS).toList();
    problems =
        more <= 0
            ? sorted
            : Stream.concat(sorted.stream(), Stream.of("and " + more + " problems more")).toList();
  }
}
