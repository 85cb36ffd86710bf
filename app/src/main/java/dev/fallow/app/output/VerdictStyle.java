package dev.fallow.app.output;

import dev.fallow.core.idle.Verdict;

/** How verdicts look. */
public final class VerdictStyle {

  private VerdictStyle() {}

  public static Table.Cell cell(Verdict verdict) {
    return new Table.Cell(verdict.name(), style(verdict));
  }

  public static Style style(Verdict verdict) {
    if (verdict instanceof Verdict.Busy) {
      return Style.GREEN;
    }
    return verdict instanceof Verdict.Idle ? Style.RED : Style.YELLOW;
  }
}
