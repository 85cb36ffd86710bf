package dev.fallow.app.output;

import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.DeviceFinding;
import dev.fallow.core.idle.Durations;
import dev.fallow.core.idle.Signal;
import dev.fallow.core.idle.Verdict;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.report.Money;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.core.savings.WorkloadCost;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** A workload as the list shows it. */
public record WorkloadRow(
    Decision decision, WorkloadCost cost, String currency, OptionalDouble use) {

  public static final List<String> HEADINGS =
      List.of(
          "WORKLOAD", "GPUS", "MODEL", "USE", "VERDICT", "REASON", "IDLE FOR", "COST/H", "WASTE/H");

  /** Worst waste first; of equal waste the longer idle, then by name. */
  public static final Comparator<WorkloadRow> WORST_FIRST =
      Comparator.comparingDouble((WorkloadRow row) -> -row.cost.wastedPerHour())
          .thenComparingInt(row -> -row.cost.idleGpus())
          .thenComparingInt(WorkloadRow::rank)
          .thenComparing(row -> row.assessment().idleSince().orElse(Instant.MAX))
          .thenComparing(row -> row.assessment().workload());

  public static List<WorkloadRow> of(List<Decision> decisions, PriceBook prices) {
    return decisions.stream()
        .map(decision ->
            new WorkloadRow(
                decision,
                WorkloadCost.of(decision.assessment(), prices),
                prices.currency(),
                use(decision.assessment())))
        .sorted(WORST_FIRST)
        .toList();
  }

  private Assessment assessment() {
    return decision.assessment();
  }

  private int rank() {
    return switch (assessment().verdict()) {
      case Verdict.Idle idle -> 0;
      case Verdict.Busy busy -> 2;
      case Verdict.Unknown unknown -> 1;
    };
  }

  /** The mean of the main signal over the devices of its live pods, as a share. */
  private static OptionalDouble use(Assessment assessment) {
    return assessment.pods().stream()
        .filter(pod -> pod.pod().live())
        .flatMap(pod -> pod.devices().stream())
        .flatMap(device -> device.signals().stream().filter(s -> s.signal() == device.main()))
        .filter(signal -> signal.samples() > 0)
        .mapToDouble(WorkloadRow::share)
        .average();
  }

  private static double share(DeviceFinding.SignalFinding signal) {
    return signal.signal() == Signal.POWER ? 0 : signal.mean() / signal.signal().scale().full();
  }

  public Map<String, Object> fields() {
    Map<String, Object> fields = DecisionFields.of(decision);
    fields.put("models", assessment().models());
    use.ifPresent(share -> fields.put("use", Math.round(share * 1000) / 1000.0));
    fields.put("idleGpus", cost.idleGpus());
    fields.put("costPerHour", cents(cost.perHour()));
    fields.put("wastedPerHour", cents(cost.wastedPerHour()));
    return fields;
  }

  public List<Table.Cell> cells(Instant at) {
    return List.of(
        Table.Cell.of(assessment().workload().root()),
        Table.Cell.of(assessment().workload().gpus()),
        Table.Cell.of(model()),
        Table.Cell.of(
            use.isPresent() ? String.format(Locale.ROOT, "%.0f %%", 100 * use.getAsDouble()) : "–"),
        VerdictStyle.cell(assessment().verdict()),
        Table.Cell.of(decision.reason()),
        Table.Cell.of(
            assessment()
                .idleSince()
                .map(since -> atLeast() + Durations.format(Duration.between(since, at)))
                .orElse("–")),
        Table.Cell.of(money(cost.perHour())),
        Table.Cell.of(money(cost.wastedPerHour())));
  }

  private String money(double amount) {
    return amount == 0 ? "–" : Money.text(amount, currency);
  }

  /** Stillness that reaches back to where our knowledge begins may have begun before. */
  private String atLeast() {
    boolean seenWorking =
        assessment().pods().stream()
            .flatMap(pod -> pod.devices().stream())
            .anyMatch(device -> device.lastActive().isPresent());
    return seenWorking ? "" : "> ";
  }

  private String model() {
    List<String> models = assessment().models();
    if (models.isEmpty() || models.getFirst().isEmpty()) {
      return "–";
    }
    String first = models.getFirst().replace("NVIDIA ", "");
    return models.size() == 1 ? first : first + " +" + (models.size() - 1);
  }

  private static double cents(double dollars) {
    return Math.round(dollars * 100) / 100.0;
  }
}
