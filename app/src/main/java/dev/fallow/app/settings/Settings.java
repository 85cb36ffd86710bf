package dev.fallow.app.settings;

import dev.fallow.app.WrongUse;
import dev.fallow.core.idle.IdleRule;
import dev.fallow.core.prune.Limits;
import dev.fallow.core.prune.NoticeGiven;
import dev.fallow.core.prune.PrunePolicy;
import dev.fallow.core.savings.PriceBook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings in force: a flag wins over the environment, that over the file, that over the
 * default. What cannot be understood is refused before anything is done.
 */
public final class Settings {

  /** Variables of ours that are no settings: the launcher's and the file's own. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of("FALLOW_CONFIG", "FALLOW_JAVA_HOME", "FALLOW_JAVA_OPTS", "FALLOW_RIG_CACHE");

  /** Kubernetes puts variables of each Service into pods; a Service may well be called fallow. */
  private static final Pattern OF_A_SERVICE =
      Pattern.compile("FALLOW(_[A-Z0-9_]+)?_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT(_[0-9]+_.*)?)");

  private record Written(String text, String origin) {}

  private final Map<String, Written> written;

  private Settings(Map<String, Written> written) {
    this.written = written;
    for (Setting<?> setting : Catalogue.all()) {
      of(setting);
    }
  }

  public static Settings defaults() {
    return new Settings(Map.of());
  }

  /** Settings as a file or a case gives them; {@code origin} is where, for complaints. */
  public static Settings ofFile(Map<String, String> entries, String origin) {
    return new Settings(checked(entries, origin));
  }

  public static Settings of(
      Map<String, String> flags,
      Map<String, String> environment,
      Map<String, String> file,
      String fileName) {
    Map<String, Written> written = new HashMap<>(checked(file, fileName));
    Map<String, Setting<?>> byVariable = new LinkedHashMap<>();
    for (Setting<?> setting : Catalogue.all()) {
      setting.alsoRead().forEach(variable -> byVariable.put(variable, setting));
      byVariable.put(setting.environment(), setting);
    }
    byVariable.forEach((variable, setting) -> {
      String text = environment.get(variable);
      if (text != null && !isOfAService(variable, text)) {
        written.put(setting.name(), new Written(text, variable));
      }
    });
    refuseUnknownVariables(environment.keySet(), byVariable.keySet());
    flags.forEach((name, text) -> written.put(name, new Written(text, "--" + name)));
    return new Settings(written);
  }

  /** A Service fallow-metrics gives its pods FALLOW_METRICS_PORT=tcp://10.0.0.7:443. */
  private static boolean isOfAService(String variable, String text) {
    return OF_A_SERVICE.matcher(variable).matches() && text.matches("[a-z]+://.*");
  }

  public <T> T of(Setting<T> setting) {
    Written entry = written.get(setting.name());
    return entry == null
        ? setting.parse(setting.byDefault(), "the default of --" + setting.name())
        : setting.parse(entry.text(), entry.origin());
  }

  /** Those of the rules and limits that somebody set, as they were written. */
  public Map<String, String> written() {
    Map<String, String> texts = new LinkedHashMap<>();
    List<Setting<?>> deciding = new ArrayList<>(Catalogue.rules());
    deciding.addAll(Catalogue.limits());
    for (Setting<?> setting : deciding) {
      Written entry = written.get(setting.name());
      if (entry != null) {
        texts.put(setting.name(), entry.text());
      }
    }
    return texts;
  }

  public IdleRule idleRule() {
    return new IdleRule(
        of(Catalogue.DURATION),
        of(Catalogue.GRACE_PERIOD),
        of(Catalogue.IDLE_THRESHOLD),
        of(Catalogue.POWER_THRESHOLD));
  }

  /** What may be paused, within those limits that somebody has set. */
  public PrunePolicy prunePolicy() {
    return policy(
        new Limits(
            isWritten(Catalogue.MAX_PAUSES_PER_CYCLE)
                ? OptionalInt.of(of(Catalogue.MAX_PAUSES_PER_CYCLE))
                : OptionalInt.empty(),
            share(Catalogue.MAX_SHARE_PER_NAMESPACE, isWritten(Catalogue.MAX_SHARE_PER_NAMESPACE)),
            share(Catalogue.MIN_FLEET_COVERAGE, isWritten(Catalogue.MIN_FLEET_COVERAGE)),
            share(Catalogue.MAX_IDLE_SHARE, isWritten(Catalogue.MAX_IDLE_SHARE))));
  }

  /** The same for evidence alone, where a notice period that is set counts, too. */
  public PrunePolicy casePolicy() {
    Duration period = of(NoticeSettings.ACK_GRACE_PERIOD);
    return isWritten(NoticeSettings.ACK_GRACE_PERIOD) && !period.isZero()
        ? prunePolicy().telling(new NoticeGiven(period))
        : prunePolicy();
  }

  /** What may be paused, within limits that hold unless somebody has set others. */
  public PrunePolicy boundedPolicy() {
    return policy(
        new Limits(
            OptionalInt.of(of(Catalogue.MAX_PAUSES_PER_CYCLE)),
            share(Catalogue.MAX_SHARE_PER_NAMESPACE, true),
            share(Catalogue.MIN_FLEET_COVERAGE, true),
            share(Catalogue.MAX_IDLE_SHARE, true)));
  }

  private PrunePolicy policy(Limits limits) {
    return new PrunePolicy(
        of(Catalogue.ENABLED_RESOURCES),
        of(Catalogue.NAMESPACE_PATTERN),
        of(Catalogue.MODEL_NAME),
        of(Catalogue.EXCLUDED_NAMESPACES),
        limits,
        of(Catalogue.LONGEST_KEEP),
        PriceBook.standard(),
        Optional.empty());
  }

  private OptionalDouble share(Setting<Double> setting, boolean counts) {
    return counts ? OptionalDouble.of(of(setting)) : OptionalDouble.empty();
  }

  /** A setting as somebody wrote it. */
  public Optional<String> text(Setting<?> setting) {
    return Optional.ofNullable(written.get(setting.name())).map(Written::text);
  }

  public boolean isWritten(Setting<?> setting) {
    return written.containsKey(setting.name());
  }

  private static Map<String, Written> checked(Map<String, String> entries, String origin) {
    List<String> known = Catalogue.all().stream().map(Setting::name).toList();
    Map<String, Written> checked = new HashMap<>();
    entries.forEach((name, text) -> {
      if (known.contains(name)) {
        checked.put(name, new Written(text, origin + ", " + name));
      } else {
        throw new WrongUse(origin + ": there is no setting \"" + name + "\"" + meant(name, known));
      }
    });
    return checked;
  }

  private static void refuseUnknownVariables(Set<String> variables, Set<String> known) {
    for (String variable : variables) {
      if (variable.startsWith("FALLOW_")
          && !known.contains(variable)
          && !OTHER_VARIABLES.contains(variable)
          && !OF_A_SERVICE.matcher(variable).matches()) {
        throw new WrongUse(
            "the environment has " + variable + ", which is no setting" + meant(variable, known));
      }
    }
  }

  private static String meant(String name, Collection<String> known) {
    Optional<String> nearest = NearestName.of(name, known);
    return nearest.map(other -> "; did you mean " + other + "?").orElse("");
  }
}
