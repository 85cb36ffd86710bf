package dev.fallow.server.fleet;

import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Which workloads are asked for, in which order. What is absent does not matter. */
record FleetQuery(
    List<String> namespaces,
    List<String> states,
    List<String> verdicts,
    String words,
    Comparator<WorkloadItem> order,
    int limit,
    int offset) {

  private static final int LARGEST_PAGE = 10_000;
  private static final int USUAL_PAGE = 1_000;
  private static final int LONGEST_WORD = 253;
  private static final Set<String> NAMES =
      Set.of("namespace", "state", "verdict", "q", "sort", "limit", "cursor");
  private static final Set<String> VERDICTS = Set.of("BUSY", "IDLE", "UNKNOWN");
  private static final Set<String> STATES = Set.of("BUSY", "IDLE", "KEPT", "UNKNOWN", "PAUSED");

  /** Each from the one that matters most. */
  private static final Map<String, Comparator<WorkloadItem>> ORDERS =
      Map.of(
          "waste", Comparator.comparingDouble(item -> -item.wastedPerHour()),
          "name", Comparator.comparing(WorkloadItem::workload),
          "gpus", Comparator.comparingInt(item -> -item.gpus()),
          "use", Comparator.comparingDouble(item -> item.use().orElse(2)),
          "idle", Comparator.comparing(item -> item.idleSince().orElse(Instant.MAX)),
          "cost", Comparator.comparingDouble(item -> -item.costPerHour()));

  /**
   * @throws Rejected naming the parameter
   */
  static FleetQuery of(Request request) {
    request.takesOnly(NAMES);
    return new FleetQuery(
        request.queryAll("namespace"),
        oneOf(request, "state", STATES),
        oneOf(request, "verdict", VERDICTS),
        words(request),
        order(request),
        number(request, "limit", USUAL_PAGE, 1, LARGEST_PAGE),
        number(request, "cursor", 0, 0, 10_000_000));
  }

  private static List<String> oneOf(Request request, String name, Set<String> known) {
    List<String> values =
        request.queryAll(name).stream().map(value -> value.toUpperCase(Locale.ROOT)).toList();
    if (!known.containsAll(values)) {
      throw Rejected.parameter(name, "is one of " + String.join(", ", new TreeSet<>(known)));
    }
    return values;
  }

  private static String words(Request request) {
    String words = request.query("q").orElse("").strip().toLowerCase(Locale.ROOT);
    if (words.length() > LONGEST_WORD) {
      throw Rejected.parameter("q", "has at most " + LONGEST_WORD + " characters");
    }
    return words;
  }

  private static Comparator<WorkloadItem> order(Request request) {
    String sort = request.query("sort").orElse("waste");
    boolean turned = sort.startsWith("-");
    Comparator<WorkloadItem> order = ORDERS.get(turned ? sort.substring(1) : sort);
    if (order == null) {
      throw Rejected.parameter(
          "sort",
          "is one of " + String.join(", ", new TreeSet<>(ORDERS.keySet())) + ", a minus before it");
    }
    return (turned ? order.reversed() : order).thenComparing(WorkloadItem::workload);
  }

  private static int number(Request request, String name, int usual, int least, int most) {
    String text = request.query(name).orElse(Integer.toString(usual));
    if (text.matches("[0-9]{1,8}")) {
      int number = Integer.parseInt(text);
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw Rejected.parameter(name, "is a number from " + least + " to " + most);
  }

  Stream<WorkloadItem> on(Stream<WorkloadItem> items) {
    return items
        .filter(item -> namespaces.isEmpty() || namespaces.contains(item.namespace()))
        .filter(item -> states.isEmpty() || states.contains(item.state()))
        .filter(item -> verdicts.isEmpty() || verdicts.contains(item.verdict()))
        .filter(item -> words.isEmpty() || item.words().contains(words))
        .sorted(order);
  }
}
