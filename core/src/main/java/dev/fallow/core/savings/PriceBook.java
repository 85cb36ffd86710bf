package dev.fallow.core.savings;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What an hour of a GPU costs, by model. The defaults are large clouds' public on-demand prices per
 * card, rounded: good enough to rank waste, to be replaced by one's own contract.
 */
public final class PriceBook {

  /** From the most to the least telling part of a name: an A100 of 80 GB is an A100 as well. */
  private static final Map<String, Double> DEFAULTS = new LinkedHashMap<>();

  static {
    DEFAULTS.put("GB200", 15.0);
    DEFAULTS.put("B200", 14.2);
    DEFAULTS.put("GH200", 8.0);
    DEFAULTS.put("H200", 7.9);
    DEFAULTS.put("H100", 6.9);
    DEFAULTS.put("A100-SXM4-80GB", 3.4);
    DEFAULTS.put("A100 80GB", 3.4);
    DEFAULTS.put("A100", 2.7);
    DEFAULTS.put("L40S", 1.9);
    DEFAULTS.put("L40", 1.5);
    DEFAULTS.put("L4", 0.8);
    DEFAULTS.put("A10", 1.0);
    DEFAULTS.put("V100", 3.1);
    DEFAULTS.put("T4", 0.5);
    DEFAULTS.put("MI325X", 7.0);
    DEFAULTS.put("MI300X", 6.0);
    DEFAULTS.put("MI250", 3.0);
  }

  private static final PriceBook STANDARD = new PriceBook(Map.of());

  private final Map<String, Double> perHour = new LinkedHashMap<>();

  /** Own prices go before the defaults; each name is a part of the model's name. */
  public PriceBook(Map<String, Double> own) {
    own.forEach((model, price) -> perHour.put(model.toUpperCase(Locale.ROOT), price));
    DEFAULTS.forEach(perHour::putIfAbsent);
  }

  public static PriceBook standard() {
    return STANDARD;
  }

  /** Dollars an hour for one whole card; nothing for a model nobody has priced. */
  public OptionalDouble perHour(String model) {
    String name = model.toUpperCase(Locale.ROOT);
    for (Map.Entry<String, Double> price : perHour.entrySet()) {
      if (name.contains(price.getKey())) {
        return OptionalDouble.of(price.getValue());
      }
    }
    return OptionalDouble.empty();
  }
}
