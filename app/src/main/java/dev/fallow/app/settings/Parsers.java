package dev.fallow.app.settings;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.fallow.app.settings.MetricsSettings.MetricsApis;
import dev.fallow.core.autoscale.ApiRegistration.Place;
import dev.fallow.core.fleet.TeamLabel;
import dev.fallow.core.idle.Durations;
import dev.fallow.core.notice.Link;
import java.time.DayOfWeek;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;

/** From a setting's text to its value. Each refuses with the words that follow the text. */
final class Parsers {

  private static final java.util.regex.Pattern SERVICE =
      java.util.regex.Pattern.compile("([a-z0-9-]{1,63})/([a-z0-9-]{1,63})(?::([0-9]{1,5}))?");

  private static final int LONGEST_PATTERN = 1_000;
  private static final int MOST_REPEATS = 1_000;
  private static final java.util.regex.Pattern COUNTED =
      java.util.regex.Pattern.compile("\\{([0-9]{1,9})(?:,([0-9]{1,9})?)?\\}");

  private Parsers() {}

  static boolean truth(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "true", "yes", "on", "1" -> true;
      case "false", "no", "off", "0" -> false;
      default -> throw new IllegalArgumentException("is neither true nor false");
    };
  }

  /** A bare number counts this unit, as gpu-pruner's flags do; otherwise a duration. */
  static Function<String, Duration> length(Duration unit, Duration least, Duration most) {
    return text -> {
      Duration length = counted(text.strip(), unit);
      if (length.compareTo(least) < 0 || length.compareTo(most) > 0) {
        throw new IllegalArgumentException("is out of range");
      }
      return length;
    };
  }

  private static Duration counted(String text, Duration unit) {
    if (text.matches("[0-9]{1,9}")) {
      return unit.multipliedBy(Long.parseLong(text));
    }
    return Durations.parse(text)
        .orElseThrow(() -> new IllegalArgumentException("is not a length of time"));
  }

  static Function<String, Double> share() {
    return text -> {
      double share = decimal(text);
      if (!(share > 0 && share <= 1)) {
        throw new IllegalArgumentException("is out of range");
      }
      return share;
    };
  }

  /**
   * {@code 10%}, {@code 10} and {@code 0.1} are the same share. A bare 1 might be a percent or the
   * whole, and the whole would lift a limit.
   */
  static Function<String, Double> percentage() {
    return text -> {
      String digits = text.strip();
      boolean marked = digits.endsWith("%");
      double number = decimal(marked ? digits.substring(0, digits.length() - 1).strip() : digits);
      if (!marked && number == 1) {
        throw new IllegalArgumentException("may be read in two ways; write 1% or 100%");
      }
      double share = marked || number > 1 ? number / 100 : number;
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException("is out of range");
      }
      return share;
    };
  }

  static OptionalDouble watts(String text) {
    if (text.isBlank()) {
      return OptionalDouble.empty();
    }
    double watts = decimal(text);
    if (watts == 0) {
      return OptionalDouble.empty();
    }
    if (!(watts > 0 && watts <= 100_000)) {
      throw new IllegalArgumentException("is out of range");
    }
    return OptionalDouble.of(watts);
  }

  static Function<String, Integer> number(int least, int most) {
    return text -> {
      String digits = text.strip();
      if (!digits.matches("[0-9]{1,9}")) {
        throw new IllegalArgumentException("is not a whole number");
      }
      int value = Integer.parseInt(digits);
      if (value < least || value > most) {
        throw new IllegalArgumentException("is out of range");
      }
      return value;
    };
  }

  static String address(String text) {
    String address = text.strip();
    if (address.isEmpty()) {
      return address;
    }
    if (!address.matches(".*:[0-9]{1,5}")) {
      throw new IllegalArgumentException("is no address");
    }
    int port = number(0, 65_535).apply(address.substring(address.lastIndexOf(':') + 1));
    return address.substring(0, address.lastIndexOf(':') + 1) + port;
  }

  static Optional<Integer> port(String text) {
    return text.isBlank() ? Optional.empty() : Optional.of(number(1, 65_535).apply(text));
  }

  /** A server's address; what else is wrong with it shows when it is used. */
  static String url(String text) {
    String url = text.strip();
    if (!url.isEmpty() && !url.matches("(?i)https?://[^/?#].*")) {
      throw new IllegalArgumentException("is no such address");
    }
    return url;
  }

  /** An address that goes into messages as it is. */
  static String link(String text) {
    String url = text.strip().replaceAll("/+$", "");
    return url.isEmpty() ? url : new Link(url).url();
  }

  private static double decimal(String text) {
    if (!text.strip().matches("[0-9]{0,9}(\\.[0-9]{1,9})?([eE]-?[0-9]{1,2})?")) {
      throw new IllegalArgumentException("is not a number");
    }
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException notANumber) {
      throw new IllegalArgumentException("is not a number", notANumber);
    }
  }

  /** A pattern that has to match the whole name, with the meaning Prometheus gives to it. */
  static Optional<Predicate<String>> wholeName(String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (text.length() > LONGEST_PATTERN || repeats(text) > MOST_REPEATS) {
      throw new IllegalArgumentException(
          "is too large a regular expression: write at most %d characters, repeated at most %d times"
              .formatted(LONGEST_PATTERN, MOST_REPEATS));
    }
    try {
      Pattern pattern = Pattern.compile("^(?s:" + text + ")$");
      return Optional.of(name -> pattern.matches(name));
    } catch (PatternSyntaxException malformed) {
      throw new IllegalArgumentException(
          "is not a regular expression (" + malformed.getDescription() + ")", malformed);
    }
  }

  /**
   * How often the pattern's counted repetitions repeat something at most, were each within all
   * others: a pattern is unrolled when it is compiled.
   */
  private static double repeats(String pattern) {
    double product = 1;
    Matcher counted = COUNTED.matcher(pattern);
    while (counted.find()) {
      String most = counted.group(2) == null ? counted.group(1) : counted.group(2);
      product *= Math.max(1, Double.parseDouble(most));
    }
    return product;
  }

  /** Names separated by commas in which a star stands for anything. */
  static Predicate<String> globs(String text) {
    List<Pattern> patterns =
        names(text).stream()
            .map(glob -> Pattern.compile("^" + Pattern.quote(glob).replace("\\*", ".*") + "$"))
            .toList();
    return name -> patterns.stream().anyMatch(pattern -> pattern.matches(name));
  }

  static List<String> names(String text) {
    return Arrays.stream(text.split(",", -1))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .toList();
  }

  /** Compared as they are written, so what cannot be a domain would silently allow nothing. */
  static List<String> domains(String text) {
    List<String> domains = names(text.toLowerCase(Locale.ROOT));
    if (!domains.stream().allMatch(name -> name.matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?"))) {
      throw new IllegalArgumentException("is not a domain: write what stands after the @");
    }
    return domains;
  }

  static <E extends Enum<E>> Function<String, E> oneOf(Class<E> values) {
    return text -> {
      String wanted = text.strip().toUpperCase(Locale.ROOT).replace('-', '_');
      return Arrays.stream(values.getEnumConstants())
          .filter(value -> value.name().equals(wanted))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("is not one of them"));
    };
  }

  static Optional<DayOfWeek> day(String text) {
    return switch (text.strip().toLowerCase(Locale.ROOT)) {
      case "", "off" -> Optional.empty();
      default -> Optional.of(oneOf(DayOfWeek.class).apply(text));
    };
  }

  static TeamLabel label(String text) {
    String key = text.strip();
    if (!key.matches("(|([a-z0-9.-]{1,253}/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)")) {
      throw new IllegalArgumentException("cannot be the key of a label");
    }
    return new TeamLabel(key);
  }

  static Set<MetricsApis> metricsApis(String text) {
    Set<MetricsApis> apis = EnumSet.noneOf(MetricsApis.class);
    names(text).forEach(name -> apis.add(oneOf(MetricsApis.class).apply(name)));
    return apis;
  }

  /** A Service: {@code namespace/name:port}; the port is that of https unless it is said. */
  static Optional<Place> servicePlace(String text) {
    if (text.isBlank()) {
      return Optional.empty();
    }
    Matcher place = SERVICE.matcher(text.strip());
    if (!place.matches()) {
      throw new IllegalArgumentException("names no Service");
    }
    int port = place.group(3) == null ? 443 : number(1, 65_535).apply(place.group(3));
    return Optional.of(new Place(place.group(1), place.group(2), port));
  }

  /** A channel's name; people leave out the sign before it. */
  static String slackChannel(String text) {
    String name = text.strip();
    return name.isEmpty() || name.startsWith("#") || name.startsWith("@") ? name : "#" + name;
  }
}
