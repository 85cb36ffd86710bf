package dev.fallow.core.fleet;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How much of a card a device is, in whole parts, so that what is added up stays exact: the
 * sevenths and quarters that MIG cuts, and even shares between up to ten pods.
 */
public final class CardParts {

  /** The parts of a whole card: divisible by every number from 1 to 10. */
  public static final int WHOLE = 5040;

  private static final Pattern SLICES = Pattern.compile("([0-9]{1,2})g\\..*");
  private static final int SEVENTH = WHOLE / 7;
  private static final int QUARTER = WHOLE / 4;

  /** The profiles of a card that MIG cuts in four instead of seven: the A30's. */
  private static final Set<String> OF_FOUR = Set.of("1g.6gb", "2g.12gb", "4g.24gb");

  private static final String MIG = "nvidia.com/mig-";

  /** Resources of Intel's plugin that measure or watch cards and hand out none. */
  private static final Pattern NO_CARD =
      Pattern.compile("gpu\\.intel\\.com/(millicores|memory\\.max|tiles|.*_monitoring)");

  private CardParts() {}

  /** The parts of a MIG profile such as {@code 3g.20gb}; what is not a profile is a whole card. */
  public static int ofProfile(String profile) {
    Matcher slices = SLICES.matcher(profile);
    if (!slices.matches()) {
      return WHOLE;
    }
    // Attributes such as +me, spelled .me in resource names, follow the size.
    String size = profile.replaceFirst("(gb).*", "$1");
    int slice = OF_FOUR.contains(size) ? QUARTER : SEVENTH;
    return Math.min(WHOLE, Integer.parseInt(slices.group(1)) * slice);
  }

  /** The MIG profile that a resource name hands out; empty for others. */
  public static String profileOf(String resource) {
    return resource.startsWith(MIG)
        ? resource.substring(MIG.length()).replaceFirst("\\.shared$", "")
        : "";
  }

  /** Whether one of this resource is a device, and not a measure of one. */
  public static boolean isDevice(String resource) {
    return !NO_CARD.matcher(resource).matches();
  }
}
