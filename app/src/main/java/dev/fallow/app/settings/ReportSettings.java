package dev.fallow.app.settings;

import dev.fallow.core.fleet.TeamLabel;
import java.time.DayOfWeek;
import java.util.List;
import java.util.Optional;

/** What reports are made with. */
public final class ReportSettings {

  public static final Setting<String> PRICES =
      Setting.of("prices", "FILE", "", "a YAML file; see docs/reports.md", String::strip)
          .saying("Own prices of GPU models, over the public ones that are built in.");

  public static final Setting<TeamLabel> TEAM_LABEL =
      Setting.of("team-label", "KEY", "team", "the key of a label; empty for none", Parsers::label)
          .saying(
              "The label, or else annotation, that names the team of a workload or, failing that,"
                  + " of its namespace.");

  public static final Setting<Optional<DayOfWeek>> REPORT_DAY =
      Setting.of("report-day", "DAY", "off", "off, or monday to sunday", Parsers::day)
          .saying("The day of the week on which --notify is told where the GPU hours went.");

  public static final Setting<Integer> REPORT_HOUR =
      Setting.of("report-hour", "HOUR", "8", "0 to 23", Parsers.number(0, 23))
          .saying("The hour of that day, in UTC.");

  private ReportSettings() {}

  /** In the order of the reference. */
  public static List<Setting<?>> all() {
    return List.of(PRICES, TEAM_LABEL, REPORT_DAY, REPORT_HOUR);
  }
}
