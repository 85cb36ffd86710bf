package dev.fallow.server.stream;

import dev.fallow.server.Body;
import dev.fallow.server.JsonPieces;
import dev.fallow.server.access.Rights;
import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.Sight;
import dev.fallow.server.fleet.WorkloadItem;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One picture after another: what is told to everybody who listens. Rows are written once, and what
 * all with the same sight are told is put together once: it can be megabytes, and they hundreds.
 */
final class Frame {

  /** For so many sights what they are told is kept; of more, those that listened last. */
  private static final int MOST_SIGHTS = 16;

  /** However many listen, few are written for at the same time. */
  private static final Semaphore WRITERS = new Semaphore(2);

  final FleetPicture picture;
  final long number;
  private final int steps;
  private final List<WorkloadItem> added;
  private final List<RowNews> altered;
  private final List<WorkloadItem> gone;
  private final List<Map<String, Object>> deeds;

  /** All that are spoken of: in the picture, in its past, in what has gone, in what was done. */
  private final Set<String> namespaces = new HashSet<>(Set.of(Rights.EVERYWHERE));

  private final Map<Part, Told> told =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Part, Told> eldest) {
          return size() > MOST_SIGHTS;
        }
      };

  /** Everything or what is new, of the namespaces that somebody sees. */
  private record Part(boolean whole, Set<String> seen) {}

  private Frame(
      long number,
      FleetPicture picture,
      int steps,
      List<WorkloadItem> added,
      List<RowNews> altered,
      List<WorkloadItem> gone,
      List<Map<String, Object>> deeds) {
    this.number = number;
    this.picture = picture;
    this.steps = steps;
    this.added = added;
    this.altered = altered;
    this.gone = gone;
    this.deeds = deeds;
    picture.items().forEach(item -> namespaces.add(item.namespace()));
    namespaces.addAll(picture.past().namespaces());
    gone.forEach(item -> namespaces.add(item.namespace()));
    deeds.forEach(deed -> namespaces.add(String.valueOf(deed.get("namespace"))));
  }

  /**
   * @param deeds what was done since, a row of the history each
   */
  static Frame after(
      long number, FleetPicture before, FleetPicture now, List<Map<String, Object>> deeds) {
    int steps = RowNews.steps(before, now);
    Map<String, WorkloadItem> old = new HashMap<>();
    before.items().forEach(item -> old.put(item.workload(), item));
    List<WorkloadItem> added = new ArrayList<>();
    List<RowNews> altered = new ArrayList<>();
    for (WorkloadItem item : now.items()) {
      WorkloadItem was = old.remove(item.workload());
      if (was == null) {
        added.add(item);
      } else {
        RowNews.between(was, item, steps).ifPresent(altered::add);
      }
    }
    return new Frame(
        number, now, steps, added, altered, List.copyOf(old.values()), List.copyOf(deeds));
  }

  /**
   * @param whole whether the listener has missed something and has to have everything
   */
  Body body(boolean whole, Predicate<String> sees) {
    Set<String> seen = namespaces.stream().filter(sees).collect(Collectors.toUnmodifiableSet());
    Told mine;
    synchronized (told) {
      mine = told.computeIfAbsent(new Part(whole, seen), Told::new);
    }
    return mine.body();
  }

  /** What all are told who see the same. */
  private final class Told {
    private final Part part;
    private @Nullable Body body;

    Told(Part part) {
      this.part = part;
    }

    synchronized Body body() {
      Body known = body;
      if (known == null) {
        WRITERS.acquireUninterruptibly();
        try {
          known = part.whole ? everything(part.seen::contains) : news(part.seen::contains);
        } finally {
          WRITERS.release();
        }
        body = known;
      }
      return known;
    }
  }

  private Body everything(Predicate<String> sees) {
    return Body.of(
        event("fleet", fleet(true, sees).rows("changed", rows(picture.items(), sees)).end()));
  }

  private Body news(Predicate<String> sees) {
    List<byte[]> pieces =
        event(
            "fleet",
            fleet(false, sees)
                .field("steps", steps)
                .rows("changed", rows(added, sees))
                .rows(
                    "altered",
                    altered.stream()
                        .filter(row -> sees.test(row.namespace()))
                        .map(row -> row.fields().json())
                        .toList())
                .field(
                    "gone",
                    gone.stream()
                        .filter(item -> sees.test(item.namespace()))
                        .map(WorkloadItem::workload)
                        .toList())
                .end());
    List<Map<String, Object>> heard =
        deeds.stream().filter(deed -> sees.test(String.valueOf(deed.get("namespace")))).toList();
    if (!heard.isEmpty()) {
      pieces.addAll(event("history", new JsonPieces().field("items", heard).end()));
    }
    return Body.of(pieces);
  }

  private JsonPieces fleet(boolean whole, Predicate<String> sees) {
    return new JsonPieces()
        .field("at", picture.at())
        .field("whole", whole)
        .field("summary", Sight.summary(picture, sees));
  }

  private static List<byte[]> rows(List<WorkloadItem> items, Predicate<String> sees) {
    return items.stream()
        .filter(item -> sees.test(item.namespace()))
        .map(WorkloadItem::json)
        .toList();
  }

  private List<byte[]> event(String name, List<byte[]> data) {
    List<byte[]> pieces = new ArrayList<>(data.size() + 2);
    pieces.add(bytes("event: " + name + "\nid: " + number + "\ndata: "));
    pieces.addAll(data);
    pieces.add(bytes("\n\n"));
    return pieces;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
