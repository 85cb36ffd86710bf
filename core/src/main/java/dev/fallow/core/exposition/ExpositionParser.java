package dev.fallow.core.exposition;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Reads the text that exporters publish, in Prometheus' own form or as OpenMetrics, line by line.
 * Series come out as the text they have on the line, so that a reader of many samples takes their
 * labels apart once and not at every sample.
 */
public final class ExpositionParser {

  /** What a sample's third field counts: OpenMetrics writes seconds, Prometheus milliseconds. */
  public enum Timestamps {
    SECONDS,
    MILLISECONDS
  }

  /** Takes the samples as they are read. */
  @FunctionalInterface
  public interface Sink {
    /**
     * @param series the name with its labels, as written
     * @param millis the sample's time, if the line has one
     */
    void sample(String series, double value, OptionalLong millis) throws MalformedText;
  }

  private static final int LONGEST_LINE = 1 << 20;

  private final Timestamps timestamps;
  private final Sink sink;

  public ExpositionParser(Timestamps timestamps, Sink sink) {
    this.timestamps = timestamps;
    this.sink = sink;
  }

  /**
   * Reads to the end of the text. Nothing but empty lines may follow the end mark: two texts in one
   * would otherwise lose the second. A byte order mark, as Windows writes it, is passed over.
   *
   * @return whether the text ended with the mark {@code # EOF}
   * @throws MalformedText naming the line
   */
  public boolean parse(Reader text) throws IOException, MalformedText {
    BufferedReader lines = new BufferedReader(text, 1 << 16);
    int number = 0;
    boolean ended = false;
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      number++;
      if (number == 1 && line.startsWith("\uFEFF")) {
        line = line.substring(1);
      }
      if (line.length() > LONGEST_LINE) {
        throw new MalformedText("line " + number + " is longer than " + LONGEST_LINE);
      }
      if (line.isEmpty()) {
        continue;
      }
      if (ended) {
        throw new MalformedText("line " + number + " comes after the end mark \"# EOF\"");
      }
      if (line.charAt(0) == '#') {
        ended = line.equals("# EOF");
        continue;
      }
      try {
        sample(line);
      } catch (MalformedText malformed) {
        throw new MalformedText("line " + number + ": " + malformed.getMessage());
      }
    }
    return ended;
  }

  private void sample(String line) throws MalformedText {
    int end = endOfSeries(line);
    int valueStart = skipSpaces(line, end);
    int valueEnd = endOfWord(line, valueStart);
    if (valueStart == end || valueStart == valueEnd) {
      throw new MalformedText("a sample needs a value after its series");
    }
    double value = number(line.substring(valueStart, valueEnd));
    int timeStart = skipSpaces(line, valueEnd);
    int timeEnd = endOfWord(line, timeStart);
    OptionalLong millis = OptionalLong.empty();
    if (timeStart < timeEnd && line.charAt(timeStart) != '#') {
      millis = OptionalLong.of(millis(line.substring(timeStart, timeEnd)));
      int rest = skipSpaces(line, timeEnd);
      if (rest < line.length() && line.charAt(rest) != '#') {
        throw new MalformedText("unexpected text after the timestamp");
      }
    }
    sink.sample(line.substring(0, end), value, millis);
  }

  private static int endOfSeries(String line) throws MalformedText {
    int here = 0;
    while (here < line.length() && line.charAt(here) != '{' && line.charAt(here) != ' ') {
      here++;
    }
    if (here == 0 || here == line.length()) {
      throw new MalformedText("a line needs a metric name and a value");
    }
    if (line.charAt(here) == ' ') {
      return here;
    }
    boolean quoted = false;
    for (int i = here + 1; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quoted && c == '\\') {
        i++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted && c == '}') {
        return i + 1;
      }
    }
    throw new MalformedText("the labels have no end");
  }

  private static int skipSpaces(String line, int from) {
    int here = from;
    while (here < line.length() && (line.charAt(here) == ' ' || line.charAt(here) == '\t')) {
      here++;
    }
    return here;
  }

  private static int endOfWord(String line, int from) {
    int here = from;
    while (here < line.length() && line.charAt(here) != ' ' && line.charAt(here) != '\t') {
      here++;
    }
    return here;
  }

  private long millis(String text) throws MalformedText {
    double time = number(text);
    double millis = timestamps == Timestamps.SECONDS ? time * 1000 : time;
    if (!(Math.abs(millis) < 1e16)) {
      throw new MalformedText("\"" + abridged(text) + "\" is not a timestamp");
    }
    return Math.round(millis);
  }

  /** Numbers as Go reads them; Java alone would also take {@code 1f} and {@code 0x1p3}. */
  private static double number(String text) throws MalformedText {
    switch (text.toLowerCase(Locale.ROOT)) {
      case "nan" -> {
        return Double.NaN;
      }
      case "+inf", "inf", "+infinity", "infinity" -> {
        return Double.POSITIVE_INFINITY;
      }
      case "-inf", "-infinity" -> {
        return Double.NEGATIVE_INFINITY;
      }
      default -> {
        for (int i = 0; i < text.length(); i++) {
          if ("+-0123456789.eE".indexOf(text.charAt(i)) < 0) {
            throw new MalformedText("\"" + abridged(text) + "\" is not a number");
          }
        }
      }
    }
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException notANumber) {
      throw new MalformedText("\"" + abridged(text) + "\" is not a number");
    }
  }

  private static String abridged(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
