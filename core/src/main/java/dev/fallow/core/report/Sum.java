package dev.fallow.core.report;

import dev.fallow.core.ledger.GpuState;
import dev.fallow.core.ledger.GpuTime;
import dev.fallow.core.savings.PriceBook;
import java.util.EnumMap;
import java.util.Map;

/**
 * GPU time and money by state. Both are whole numbers, the money in millionths, so that parts add
 * up to their whole whatever the order.
 */
public record Sum(Map<GpuState, Part> parts) {

  public static final Sum ZERO = new Sum(Map.of());

  private static final double MILLION = 1_000_000;

  /**
   * What one state has.
   *
   * @param amount in the units of {@link GpuTime}
   * @param micros millionths of the currency
   */
  public record Part(long amount, long micros) {

    static final Part NONE = new Part(0, 0);

    Part plus(Part other) {
      return new Part(Math.addExact(amount, other.amount), Math.addExact(micros, other.micros));
    }
  }

  public Sum {
    parts = Map.copyOf(parts);
  }

  /** One line of the ledger at today's prices; what nobody has priced costs nothing. */
  public static Sum of(GpuTime time, PriceBook prices) {
    double price = prices.perHour(time.model(), time.spot()).orElse(0);
    long micros = Math.round(time.cardHours() * price * MILLION);
    return new Sum(Map.of(time.state(), new Part(time.amount(), micros)));
  }

  public Sum plus(Sum other) {
    if (parts.isEmpty() || other.parts.isEmpty()) {
      return parts.isEmpty() ? other : this;
    }
    Map<GpuState, Part> sums = new EnumMap<>(parts);
    other.parts.forEach((state, part) -> sums.merge(state, part, Part::plus));
    return new Sum(sums);
  }

  public boolean isZero() {
    return parts.values().stream().allMatch(part -> part.amount() == 0);
  }

  public double hours(GpuState state) {
    return (double) part(state).amount() / GpuTime.CARD_HOUR;
  }

  public double money(GpuState state) {
    return part(state).micros() / MILLION;
  }

  /** Hours that pods held, whatever they did in them. */
  public double heldHours() {
    double saved = hours(GpuState.SAVED);
    return (double) parts.values().stream().mapToLong(Part::amount).sum() / GpuTime.CARD_HOUR
        - saved;
  }

  /** What was held costs; what was saved does not. */
  public double cost() {
    return parts.entrySet().stream()
            .filter(part -> part.getKey() != GpuState.SAVED)
            .mapToLong(part -> part.getValue().micros())
            .sum()
        / MILLION;
  }

  private Part part(GpuState state) {
    return parts.getOrDefault(state, Part.NONE);
  }
}
