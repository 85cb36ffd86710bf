package dev.fallow.core.report;

import java.util.Locale;
import java.util.Map;

/** Money for people. */
public final class Money {

  private static final Map<String, String> SIGNS = Map.of("USD", "$", "EUR", "€", "GBP", "£");

  private Money() {}

  /** {@code $12.50}, {@code €1,250}, {@code CHF 3.20}: cents matter only in small amounts. */
  public static String text(double amount, String currency) {
    String sign = SIGNS.getOrDefault(currency, currency + " ");
    String form = Math.abs(amount) < 999.995 ? "%,.2f" : "%,.0f";
    return sign + String.format(Locale.ROOT, form, amount);
  }
}
