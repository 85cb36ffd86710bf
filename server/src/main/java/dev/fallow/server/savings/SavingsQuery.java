package dev.fallow.server.savings;

import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Which GPU time is asked for, and how it is put together. */
public record SavingsQuery(Optional<Instant> from, Optional<Instant> to, By by) {

  /** What a line stands for. */
  public enum By {
    HOUR,
    DAY,
    NAMESPACE,
    TEAM,
    WORKLOAD,
    MODEL
  }

  static SavingsQuery of(Request request) {
    request.takesOnly(Set.of("from", "to", "by", "namespace"));
    SavingsQuery query =
        new SavingsQuery(
            moment(request, "from"), moment(request, "to"), by(request.query("by").orElse("day")));
    if (query.from().isPresent()
        && query.to().isPresent()
        && !query.from().get().isBefore(query.to().get())) {
      throw Rejected.parameter("from", "has to be before to");
    }
    return query;
  }

  /** A moment of the query; nothing if it is not there. */
  public static Optional<Instant> moment(Request request, String name) {
    try {
      return request.query(name).map(Instant::parse);
    } catch (DateTimeParseException unreadable) {
      throw Rejected.parameter(name, "has the form 2026-11-02T12:00:00Z");
    }
  }

  /** Of the namespaces that count for who asks, the one that the query names, if it names one. */
  public static Predicate<String> within(Request request, Predicate<String> sees) {
    return request
        .query("namespace")
        .<Predicate<String>>map(name -> one -> one.equals(name) && sees.test(one))
        .orElse(sees);
  }

  private static By by(String text) {
    try {
      return By.valueOf(text.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException unknown) {
      throw Rejected.parameter("by", "is one of hour, day, namespace, team, workload, model");
    }
  }
}
