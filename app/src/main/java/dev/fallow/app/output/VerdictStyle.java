package dev.fallow.app.output;

import dev.fallow.core.idle.Verdict;

/** How verdicts look. */
public final class VerdictStyle {

  private VerdictStyle() {}

  public static Table.Cell cell(Verdict verdict) {
    return new Table.Cell(verdict.name(), style(verdict));
  }

  public static Style style(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Busy busy -> Style.GREEN;
      case Verdict.Idle idle -> Style.RED;
      case Verdict.Unknown unknown -> Style.YELLOW;
    };
  }
}
