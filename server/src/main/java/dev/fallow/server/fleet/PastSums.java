package dev.fallow.server.fleet;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What was wasted and saved so far, told apart by namespace. */
public interface PastSums {

  /** Where nothing is kept. */
  PastSums NONE =
      new PastSums() {
        @Override
        public Set<String> namespaces() {
          return Set.of();
        }

        @Override
        public Map<String, Object> of(Predicate<String> sees) {
          return Map.of();
        }
      };

  /** Those that have a part in the sums. */
  Set<String> namespaces();

  /** Fields of the summary, over the namespaces that somebody may see. */
  Map<String, Object> of(Predicate<String> sees);
}
