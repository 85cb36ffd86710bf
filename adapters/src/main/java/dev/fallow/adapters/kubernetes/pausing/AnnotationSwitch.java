package dev.fallow.adapters.kubernetes.pausing;

import dev.fallow.core.fleet.ObjectTree;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An annotation that an operator reads: a Notebook's, an InferenceService's, a ScaledObject's. */
public final class AnnotationSwitch implements Switch {

  private static final String EARLIER = "earlier";

  private final String key;
  private final Function<Instant, String> off;
  private final boolean anyValueIsOff;

  private AnnotationSwitch(String key, Function<Instant, String> off, boolean anyValueIsOff) {
    this.key = key;
    this.off = off;
    this.anyValueIsOff = anyValueIsOff;
  }

  /** Off as soon as the annotation is there: its value may be another's lock. */
  public static AnnotationSwitch present(String key, Function<Instant, String> off) {
    return new AnnotationSwitch(key, off, true);
  }

  /** Off at this one value; another one may have been there before. */
  public static AnnotationSwitch value(String key, String off) {
    return new AnnotationSwitch(key, at -> off, false);
  }

  @Override
  public boolean isOff(ObjectTree live) {
    String value = live.texts("metadata", "annotations").get(key);
    return value != null && (anyValueIsOff || value.equalsIgnoreCase(off.apply(Instant.EPOCH)));
  }

  /** Any value switches it off, so only the very one that we wrote is ours. */
  @Override
  public Optional<String> heldByOthers(ObjectTree live, Optional<Instant> paused) {
    String value = live.texts("metadata", "annotations").get(key);
    boolean ours = paused.map(off).filter(written -> written.equals(value)).isPresent();
    return value == null || ours || !anyValueIsOff
        ? Optional.empty()
        : Optional.of(key + ": " + value);
  }

  @Override
  public Map<String, Object> before(ObjectTree live) {
    String earlier = live.texts("metadata", "annotations").get(key);
    return earlier == null ? Map.of() : Map.of(EARLIER, earlier);
  }

  @Override
  public Map<String, Object> turnOff(Instant at) {
    return annotated(off.apply(at));
  }

  @Override
  public Map<String, Object> turnOn(ObjectTree before) {
    return annotated(before.text(EARLIER).orElse(null));
  }

  private Map<String, Object> annotated(@Nullable String value) {
    Map<String, Object> annotation = new HashMap<>();
    annotation.put(key, value);
    return Map.of("metadata", Map.of("annotations", annotation));
  }
}
