package dev.fallow.server.report;

import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.report.Day;
import dev.fallow.core.report.Offender;
import dev.fallow.core.report.Regret;
import dev.fallow.core.report.Regrets;
import dev.fallow.core.report.Report;
import dev.fallow.core.report.Row;
import dev.fallow.core.report.Sum;
import dev.fallow.server.savings.SumFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A report as names and values. */
public final class ReportFields {

  private ReportFields() {}

  public static Map<String, Object> of(Report report) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("from", report.period().from());
    fields.put("to", report.period().to());
    fields.put("currency", report.currency());
    fields.put("total", SumFields.of(report.total()));
    fields.put(
        "before",
        report.before().isZero() ? Optional.empty() : Optional.of(SumFields.of(report.before())));
    fields.put("change", change(report));
    fields.put("namespaces", rows(report.namespaces()));
    fields.put("teams", rows(report.teams()));
    fields.put("models", rows(report.models()));
    fields.put("days", report.days().stream().map(ReportFields::day).toList());
    fields.put("worst", report.worst().stream().map(ReportFields::offender).toList());
    fields.put("regrets", regrets(report.regrets()));
    return fields;
  }

  private static Map<String, Object> change(Report report) {
    Map<String, Object> change = new LinkedHashMap<>();
    put(change, "cost", report.change(Sum::cost));
    put(change, "wasted", report.change(sum -> sum.money(GpuState.IDLE)));
    put(change, "saved", report.change(sum -> sum.money(GpuState.SAVED)));
    return change;
  }

  private static void put(Map<String, Object> change, String name, OptionalDouble share) {
    share.ifPresent(value -> change.put(name, thousandths(value)));
  }

  private static List<Map<String, Object>> rows(List<Row> rows) {
    return rows.stream().map(ReportFields::row).toList();
  }

  private static Map<String, Object> row(Row row) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("key", row.key().isEmpty() ? "unknown" : row.key());
    fields.putAll(SumFields.of(row.sum()));
    Map<String, Object> before = SumFields.of(row.before());
    fields.put("wastedBefore", before.getOrDefault("wastedDollars", 0));
    fields.put("savedBefore", before.getOrDefault("savedDollars", 0));
    return fields;
  }

  private static Map<String, Object> day(Day day) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("from", day.from());
    fields.putAll(SumFields.of(day.sum()));
    return fields;
  }

  private static Map<String, Object> offender(Offender offender) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", offender.workload());
    fields.put("namespace", offender.namespace());
    fields.put("team", offender.team());
    fields.putAll(SumFields.of(offender.sum()));
    return fields;
  }

  private static Map<String, Object> regrets(Regrets regrets) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("pauses", regrets.pauses());
    fields.put("regretted", regrets.items().size());
    fields.put("share", thousandths(regrets.share()));
    fields.put("withinMinutes", regrets.within().toMinutes());
    fields.put("items", regrets.items().stream().map(ReportFields::regret).toList());
    return fields;
  }

  private static Map<String, Object> regret(Regret regret) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", regret.workload().toString());
    fields.put("namespace", regret.workload().namespace());
    fields.put("gpus", regret.gpus());
    fields.put("pausedAt", regret.paused());
    fields.put("resumedAt", regret.resumed());
    fields.put("by", regret.by());
    return fields;
  }

  private static double thousandths(double value) {
    return Math.round(value * 1000) / 1000.0;
  }
}
