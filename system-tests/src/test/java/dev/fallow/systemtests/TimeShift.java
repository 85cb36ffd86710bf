package dev.fallow.systemtests;

import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Moves a case to another day, so that many cases can live in one Prometheus without seeing each
 * other.
 */
record TimeShift(Duration by) {

  private static final Pattern MOMENT =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z");
  private static final Pattern SAMPLE = Pattern.compile("^(.*) ([0-9]+)((?:\\.[0-9]+)?)$");

  Instant of(Instant moment) {
    return moment.plus(by);
  }

  String ofText(String text) {
    Matcher matcher = MOMENT.matcher(text);
    return matcher.replaceAll(found -> of(Instant.parse(found.group())).toString());
  }

  String ofSample(String line) {
    Matcher matcher = SAMPLE.matcher(line);
    if (line.startsWith("#") || !matcher.matches()) {
      return line;
    }
    return matcher.group(1)
        + " "
        + (Long.parseLong(matcher.group(2)) + by.toSeconds())
        + matcher.group(3);
  }
}
