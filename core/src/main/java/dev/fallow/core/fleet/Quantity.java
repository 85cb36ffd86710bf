package dev.fallow.core.fleet;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Quantities as Kubernetes writes them, in thousandths: {@code 60}, {@code 1500m}, {@code 2Ki}. */
public final class Quantity {

  private static final Pattern FORM =
      Pattern.compile(
          "([+-]?[0-9]{1,15}(?:\\.[0-9]{0,9})?)(|[numkMGTPE]|[KMGTPE]i|[eE][0-9]{1,2})");
  private static final Map<String, BigDecimal> UNITS =
      Map.ofEntries(
          Map.entry("", BigDecimal.ONE),
          Map.entry("n", new BigDecimal("1e-9")),
          Map.entry("u", new BigDecimal("1e-6")),
          Map.entry("m", new BigDecimal("1e-3")),
          Map.entry("k", new BigDecimal("1e3")),
          Map.entry("M", new BigDecimal("1e6")),
          Map.entry("G", new BigDecimal("1e9")),
          Map.entry("T", new BigDecimal("1e12")),
          Map.entry("P", new BigDecimal("1e15")),
          Map.entry("E", new BigDecimal("1e18")),
          Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
          Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
          Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
          Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
          Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
          Map.entry("Ei", BigDecimal.valueOf(1L << 60)));
  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private Quantity() {}

  /** Nothing for text that is no quantity; what is finer than a thousandth is rounded up. */
  public static OptionalLong milli(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      return OptionalLong.empty();
    }
    String unit = form.group(2);
    boolean power =
        unit.length() > 1
            && (unit.charAt(0) == 'e' || unit.charAt(0) == 'E')
            && Character.isDigit(unit.charAt(1));
    BigDecimal factor =
        power
            ? BigDecimal.ONE.scaleByPowerOfTen(Integer.parseInt(unit.substring(1)))
            : UNITS.getOrDefault(unit, BigDecimal.ONE);
    BigDecimal milli =
        new BigDecimal(form.group(1))
            .multiply(factor)
            .movePointRight(3)
            .setScale(0, RoundingMode.UP);
    return milli.abs().compareTo(LARGEST) > 0
        ? OptionalLong.empty()
        : OptionalLong.of(milli.longValueExact());
  }
}
