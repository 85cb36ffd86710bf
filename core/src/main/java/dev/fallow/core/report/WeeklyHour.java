package dev.fallow.core.report;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;

/**
 * An hour of the week, in UTC.
 *
 * @param hour from 0 to 23
 */
public record WeeklyHour(DayOfWeek day, int hour) {

  public static final Duration WEEK = Duration.ofDays(7);

  /** When it came last; now, if it begins now. */
  public Instant latest(Instant now) {
    ZonedDateTime here = now.atZone(ZoneOffset.UTC);
    ZonedDateTime same =
        here.with(TemporalAdjusters.previousOrSame(day))
            .truncatedTo(ChronoUnit.DAYS)
            .withHour(hour);
    return (same.isAfter(here) ? same.minusWeeks(1) : same).toInstant();
  }
}
