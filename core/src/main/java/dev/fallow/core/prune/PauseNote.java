package dev.fallow.core.prune;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.CardParts;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.fleet.Workload;
import dev.fallow.core.idle.Assessment;
import dev.fallow.core.idle.DeviceFinding;
import java.math.BigInteger;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a pause tells of itself on the object.
 *
 * @param by who did it
 * @param reason why, for people
 * @param gpus how many it frees
 * @param parts how much of cards those are, in {@link CardParts}
 * @param model of which model, empty if unknown or several
 * @param spot whether all of them are spare capacity
 */
public record PauseNote(
    String by, String reason, int gpus, long parts, String model, boolean spot) {

  /** More than any workload holds; an annotation is anybody's to write. */
  private static final int MOST_GPUS = 16_384;

  private static final Pattern FREED =
      Pattern.compile(
          "([0-9]{1,5})(?: \\(([0-9]{1,8})(?:/([1-9][0-9]{0,3}))? cards\\))?( spot)?(?: (.*))?");

  /** Of whole cards. */
  public PauseNote(String by, String reason, int gpus, String model, boolean spot) {
    this(by, reason, gpus, (long) gpus * CardParts.WHOLE, model, spot);
  }

  /**
   * @param parts how much of cards it holds
   */
  public static PauseNote of(String by, String reason, Assessment assessment, long parts) {
    return new PauseNote(
        by,
        reason,
        assessment.workload().gpus(),
        parts,
        assessment.models().size() == 1 ? assessment.models().getFirst() : "",
        isSpot(assessment));
  }

  /** Where nobody has looked at the devices. */
  public static PauseNote of(
      String by, String reason, Workload workload, Set<String> sharingNodes) {
    long parts =
        workload.pods().stream()
            .filter(pod -> pod.live() && pod.node().isPresent())
            .mapToLong(pod ->
                pod.accelerators().cardParts(pod.node().filter(sharingNodes::contains).isPresent()))
            .sum();
    return new PauseNote(by, reason, workload.gpus(), parts, "", false);
  }

  /** The same, with one more sentence for people. */
  public PauseNote adding(String sentence) {
    return new PauseNote(by, reason + " " + sentence + ".", gpus, parts, model, spot);
  }

  private static boolean isSpot(Assessment assessment) {
    List<DeviceFinding> devices =
        assessment.pods().stream()
            .filter(pod -> pod.pod().live())
            .flatMap(pod -> pod.devices().stream())
            .toList();
    return !devices.isEmpty() && devices.stream().allMatch(DeviceFinding::spot);
  }

  /**
   * {@code 8 NVIDIA A100-SXM4-80GB}, {@code 8 spot NVIDIA A100-SXM4-80GB}, or of parts of cards
   * {@code 3 (3/7 cards) NVIDIA A100-SXM4-80GB}.
   */
  public String freed() {
    boolean whole = parts == (long) gpus * CardParts.WHOLE;
    return (gpus + (whole ? "" : " (" + cards() + " cards)") + (spot ? " spot" : "") + " " + model)
        .strip();
  }

  private String cards() {
    long common =
        BigInteger.valueOf(parts).gcd(BigInteger.valueOf(CardParts.WHOLE)).longValueExact();
    long of = CardParts.WHOLE / common;
    return parts / common + (of == 1 ? "" : "/" + of);
  }

  /** What was freed, as an object tells it; nothing if it does not. */
  public static Optional<PauseNote> freedBy(OwnerObject paused) {
    Matcher text = FREED.matcher(paused.annotations().getOrDefault(Annotations.FREED, ""));
    if (!text.matches()) {
      return Optional.empty();
    }
    int gpus = Integer.parseInt(text.group(1));
    Optional<String> cards = Optional.ofNullable(text.group(2));
    long of = Optional.ofNullable(text.group(3)).map(Long::parseLong).orElse(1L);
    long parts = cards.map(Long::parseLong).orElse((long) gpus) * CardParts.WHOLE / of;
    if (gpus > MOST_GPUS || parts > (long) gpus * CardParts.WHOLE) {
      return Optional.empty();
    }
    return Optional.of(
        new PauseNote(
            paused.annotations().getOrDefault(Annotations.PAUSED_BY, ""),
            paused.annotations().getOrDefault(Annotations.PAUSE_REASON, ""),
            gpus,
            parts,
            Optional.ofNullable(text.group(5)).orElse("").strip(),
            text.group(4) != null));
  }
}
