package dev.fallow.server.savings;

import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.report.Sum;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** GPU hours and money under the names of {@link SavingsSource#COLUMNS}, to the hundredth. */
public final class SumFields {

  private SumFields() {}

  public static Map<String, Object> of(Sum sum) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (GpuState state : GpuState.values()) {
      fields.put(state.name().toLowerCase(Locale.ROOT), hundredths(sum.hours(state)));
    }
    fields.put("costDollars", hundredths(sum.cost()));
    fields.put("wastedDollars", hundredths(sum.money(GpuState.IDLE)));
    fields.put("savedDollars", hundredths(sum.money(GpuState.SAVED)));
    return fields;
  }

  private static double hundredths(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
