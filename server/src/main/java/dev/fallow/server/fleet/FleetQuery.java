package dev.fallow.server.fleet;

import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** Which workloads are asked for, in which order. What is absent does not matter. */
record FleetQuery(
    List<String> namespaces,
    List<String> states,
    List<String> verdicts,
    String words,
    String sort,
    int limit,
    int offset) {

  private static final int LARGEST_PAGE = 10_000;
  static final int USUAL_PAGE = 1_000;
  private static final int LONGEST_WORD = 253;
  private static final Set<String> NAMES =
      Set.of("namespace", "state", "verdict", "q", "sort", "limit", "cursor");
  private static final Set<String> VERDICTS = Set.of("BUSY", "IDLE", "UNKNOWN");
  private static final Set<String> STATES = Set.of("BUSY", "IDLE", "KEPT", "UNKNOWN", "PAUSED");

  /** Those that are asked for, out of all that are there for them. */
  record Page(List<WorkloadItem> items, int total) {}

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
        sort(request),
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

  private static String sort(Request request) {
    String sort = request.query("sort").orElse("waste");
    if (!ORDERS.containsKey(sort.startsWith("-") ? sort.substring(1) : sort)) {
      throw Rejected.parameter(
          "sort",
          "is one of " + String.join(", ", new TreeSet<>(ORDERS.keySet())) + ", a minus before it");
    }
    return sort;
  }

  /**
   * @param sort as a request writes it; one that is not known is refused before
   */
  static Comparator<WorkloadItem> order(String sort) {
    boolean turned = sort.startsWith("-");
    Comparator<WorkloadItem> order =
        Objects.requireNonNull(ORDERS.get(turned ? sort.substring(1) : sort));
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

  /**
   * @param items in the order that is asked for
   */
  Page of(List<WorkloadItem> items, Predicate<String> sees) {
    List<WorkloadItem> page = new ArrayList<>();
    int total = 0;
    for (WorkloadItem item : items) {
      if (wants(item) && sees.test(item.namespace())) {
        if (total >= offset && page.size() < limit) {
          page.add(item);
        }
        total++;
      }
    }
    return new Page(page, total);
  }

  private boolean wants(WorkloadItem item) {
    return (namespaces.isEmpty() || namespaces.contains(item.namespace()))
        && (states.isEmpty() || states.contains(item.state()))
        && (verdicts.isEmpty() || verdicts.contains(item.verdict()))
        && (words.isEmpty() || item.words().contains(words));
  }
}
