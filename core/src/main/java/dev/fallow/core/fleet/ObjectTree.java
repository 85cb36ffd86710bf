package dev.fallow.core.fleet;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes object as the nested maps and lists that YAML and JSON give. Every road into the
 * program (a live API server, a case folder, the simulated fleet) reads objects through this one
 * view, so that all of them see the same facts. What is absent or of another type than asked for is
 * simply not there: objects are written by others and are not to be trusted.
 */
public record ObjectTree(Map<String, Object> fields) {

  private static final Pattern TOO_FINE = Pattern.compile("(\\.[0-9]{9})[0-9]+");

  private static final Pattern MOMENT =
      Pattern.compile(
          "[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
              + "([Zz]|[+-][0-9]{2}:[0-9]{2})");

  private static final String USUAL_FORM = "0000-00-00T00:00:00Z";

  public static final ObjectTree EMPTY = new ObjectTree(Map.of());

  /** The text at a path; numbers and booleans as they are written. */
  public Optional<String> text(String... path) {
    Object value = at(path);
    return value instanceof String || value instanceof Number || value instanceof Boolean
        ? Optional.of(value.toString())
        : Optional.empty();
  }

  public String textOr(String otherwise, String... path) {
    return text(path).orElse(otherwise);
  }

  /** A whole number; a fraction, or text that is not one, is not there. */
  public OptionalLong number(String... path) {
    Object value = at(path);
    if (value instanceof Integer || value instanceof Long) {
      return OptionalLong.of(((Number) value).longValue());
    }
    return value instanceof String text && text.matches("[+-]?[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  public boolean isTrue(String... path) {
    return Boolean.TRUE.equals(at(path));
  }

  /** A moment in RFC 3339, as the API server writes it. */
  public Optional<Instant> instant(String... path) {
    return text(path).flatMap(ObjectTree::parseInstant);
  }

  /**
   * RFC 3339 with any offset; nothing for text that is not a moment. Java would also take a moment
   * without seconds, and years of nine digits, whose milliseconds no number holds.
   */
  public static Optional<Instant> parseInstant(String text) {
    try {
      if (isUsualForm(text)) {
        return Optional.of(usual(text));
      }
      if (!MOMENT.matcher(text.strip()).matches()) {
        return Optional.empty();
      }
      OffsetDateTime moment = OffsetDateTime.parse(toTheNanosecond(text.strip()));
      return moment.getYear() < 0 || moment.getYear() > 9999
          ? Optional.empty()
          : Optional.of(moment.toInstant());
    } catch (DateTimeException notAMoment) {
      return Optional.empty();
    }
  }

  /** RFC 3339 has no finest fraction; Java has. */
  private static String toTheNanosecond(String moment) {
    return TOO_FINE.matcher(moment).replaceFirst("$1");
  }

  /** As the API server writes nearly all of them: {@code 2026-11-02T12:00:00Z}. */
  private static boolean isUsualForm(String text) {
    if (text.length() != USUAL_FORM.length()) {
      return false;
    }
    for (int i = 0; i < USUAL_FORM.length(); i++) {
      char one = text.charAt(i);
      char wanted = USUAL_FORM.charAt(i);
      if (wanted == '0' ? one < '0' || one > '9' : one != wanted) {
        return false;
      }
    }
    return true;
  }

  /** Read digit by digit: the parser for all forms took a second for ten thousand pods. */
  private static Instant usual(String text) {
    return LocalDateTime.of(
            number(text, 0, 4),
            number(text, 5, 7),
            number(text, 8, 10),
            number(text, 11, 13),
            number(text, 14, 16),
            number(text, 17, 19))
        .toInstant(ZoneOffset.UTC);
  }

  private static int number(String digits, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      number = 10 * number + digits.charAt(i) - '0';
    }
    return number;
  }

  /** The objects of a list; entries that are not objects are left out. */
  public List<ObjectTree> list(String... path) {
    if (!(at(path) instanceof List<?> entries)) {
      return List.of();
    }
    List<ObjectTree> objects = new ArrayList<>(entries.size());
    for (Object entry : entries) {
      asTree(entry).ifPresent(objects::add);
    }
    return objects;
  }

  /** The names in the map at a path with their texts; entries that are not text are left out. */
  public Map<String, String> texts(String... path) {
    if (!(at(path) instanceof Map<?, ?> entries)) {
      return Map.of();
    }
    Map<String, String> texts = new LinkedHashMap<>();
    entries.forEach((key, value) -> {
      if (key instanceof String name
          && (value instanceof String || value instanceof Number || value instanceof Boolean)) {
        texts.put(name, value.toString());
      }
    });
    return texts;
  }

  /** Whether the path leads to anything at all, null aside. */
  public boolean has(String... path) {
    return at(path) != null;
  }

  public ObjectTree tree(String... path) {
    return asTree(at(path)).orElse(EMPTY);
  }

  private @Nullable Object at(String... path) {
    Object here = fields;
    for (String step : path) {
      if (!(here instanceof Map<?, ?> map)) {
        return null;
      }
      here = map.get(step);
    }
    return here;
  }

  @SuppressWarnings("unchecked") // keys are only ever looked up, never trusted to be text
  private static Optional<ObjectTree> asTree(@Nullable Object value) {
    return value instanceof Map<?, ?> map
        ? Optional.of(new ObjectTree((Map<String, Object>) map))
        : Optional.empty();
  }
}
