package dev.fallow.server.report;

import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.report.Day;
import dev.fallow.core.report.Sum;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

/** A bar for each day, by what the GPUs did; the tables say the same in numbers. */
final class DayChart {

  private static final int WIDTH = 720;
  private static final int HEIGHT = 160;
  private static final int FOOT = 20;
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("d MMM", Locale.ROOT).withZone(ZoneOffset.UTC);

  private DayChart() {}

  static String of(List<Day> days) {
    double most = days.stream().mapToDouble(day -> all(day.sum())).max().orElse(0);
    if (most <= 0) {
      return "";
    }
    StringBuilder svg = new StringBuilder("<h2>Day by day</h2>\n<ul>");
    for (GpuState state : GpuState.values()) {
      svg.append("<li><svg viewBox=\"0 0 1 1\" aria-hidden=\"true\"><rect class=\"")
          .append(name(state))
          .append("\" width=\"1\" height=\"1\"/></svg> ")
          .append(name(state))
          .append("</li>");
    }
    svg.append(
        "</ul>\n<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"".formatted(WIDTH, HEIGHT));
    svg.append(
        String.format(
            Locale.ROOT,
            "GPU hours by day, %d bars; the highest is %.1f hours",
            days.size(),
            most));
    svg.append("\">\n");
    double step = (double) WIDTH / days.size();
    for (int i = 0; i < days.size(); i++) {
      bar(svg, days.get(i), i * step, step, most, days.size() <= 16 || i % 7 == 0);
    }
    return svg.append("</svg>\n").toString();
  }

  private static void bar(
      StringBuilder svg, Day day, double x, double step, double most, boolean labelled) {
    double y = HEIGHT - FOOT;
    String date = DAY.format(day.from());
    for (GpuState state : GpuState.values()) {
      double height = (HEIGHT - FOOT) * day.sum().hours(state) / most;
      if (height > 0) {
        y -= height;
        svg.append(
            String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\">"
                    + "<title>%s: %s %.1f h</title></rect>\n",
                name(state),
                x + step * 0.1,
                y,
                step * 0.8,
                height,
                date,
                name(state),
                day.sum().hours(state)));
      }
    }
    if (labelled) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
              x + step / 2,
              HEIGHT - 5,
              date));
    }
  }

  private static double all(Sum sum) {
    return sum.heldHours() + sum.hours(GpuState.SAVED);
  }

  private static String name(GpuState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
