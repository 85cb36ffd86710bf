package dev.fallow.core.savings;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * What an hour of a GPU costs, by model. The defaults are large clouds' public prices per card,
 * rounded: good enough to rank waste, to be replaced by one's own contract. Spot prices change by
 * the hour and the region; theirs are what is often seen.
 */
public final class PriceBook {

  public static final String DOLLARS = "USD";

  /**
   * Prices of one model.
   *
   * @param model a part of the model's name, or the whole of it with a star for anything; case does
   *     not matter
   * @param onDemand an hour of a card
   * @param spot the same on spare capacity
   */
  public record Price(String model, double onDemand, double spot) {

    boolean covers(String name) {
      String wanted = model.toUpperCase(Locale.ROOT);
      return wanted.indexOf('*') < 0 ? name.contains(wanted) : fits(name, wanted.split("\\*", -1));
    }

    /** The parts between the stars, each after the one before it. */
    private static boolean fits(String name, String[] parts) {
      String first = parts[0];
      String last = parts[parts.length - 1];
      if (name.length() < first.length() + last.length()
          || !name.startsWith(first)
          || !name.endsWith(last)) {
        return false;
      }
      int at = first.length();
      for (int i = 1; i < parts.length - 1; i++) {
        int found = name.indexOf(parts[i], at);
        if (found < 0) {
          return false;
        }
        at = found + parts[i].length();
      }
      return at <= name.length() - last.length();
    }
  }

  /** From the most to the least telling part of a name: an A100 of 80 GB is an A100 as well. */
  private static final List<Price> DEFAULTS =
      List.of(
          new Price("GB200", 15.0, 6.5),
          new Price("B200", 14.2, 6.0),
          new Price("GH200", 8.0, 3.4),
          new Price("H200", 7.9, 3.3),
          new Price("H100", 6.9, 2.8),
          new Price("A100-SXM4-80GB", 3.4, 1.4),
          new Price("A100 80GB", 3.4, 1.4),
          new Price("A100", 2.7, 1.1),
          new Price("L40S", 1.9, 0.8),
          new Price("L40", 1.5, 0.6),
          new Price("L4", 0.8, 0.3),
          new Price("A10", 1.0, 0.4),
          new Price("V100", 3.1, 1.0),
          new Price("T4", 0.5, 0.2),
          new Price("MI325X", 7.0, 3.0),
          new Price("MI300X", 6.0, 2.6),
          new Price("MI250", 3.0, 1.2));

  private static final PriceBook STANDARD = new PriceBook(DOLLARS, List.of());

  private final String currency;
  private final List<Price> prices;

  /**
   * Own prices go before the defaults, in their order. The defaults are dollars: in another
   * currency a model that is not among the own prices has none.
   *
   * @param currency as ISO 4217 writes it
   */
  public PriceBook(String currency, List<Price> own) {
    this.currency = currency;
    this.prices = new ArrayList<>(own);
    if (currency.equals(DOLLARS)) {
      prices.addAll(DEFAULTS);
    }
  }

  public static PriceBook standard() {
    return STANDARD;
  }

  public String currency() {
    return currency;
  }

  /** An hour of one whole card on demand; nothing for a model nobody has priced. */
  public OptionalDouble perHour(String model) {
    return perHour(model, false);
  }

  /** An hour of one whole card; nothing for a model nobody has priced. */
  public OptionalDouble perHour(String model, boolean spot) {
    String name = model.toUpperCase(Locale.ROOT);
    for (Price price : prices) {
      if (price.covers(name)) {
        return OptionalDouble.of(spot ? price.spot() : price.onDemand());
      }
    }
    return OptionalDouble.empty();
  }
}
