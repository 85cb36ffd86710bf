package dev.fallow.app.settings;

import dev.fallow.app.WrongUse;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * One thing a user can set, declared once: as a flag, in the environment, in a file, in a case.
 *
 * @param name the long flag, and the key in files
 * @param letter the short flag, 0 if it has none
 * @param placeholder what a value looks like; empty for a switch that takes none
 * @param byDefault the default as a user would write it; empty if there is none
 * @param range which values are taken, for people
 * @param sentence what it does
 * @param alsoRead environment variables of other programs that are honoured too
 * @param several whether the flag may be given more than once; a comma joins the values then
 * @param parser makes the value from its text; throws IllegalArgumentException saying why not
 */
public record Setting<T>(
    String name,
    char letter,
    String placeholder,
    String byDefault,
    String range,
    String sentence,
    List<String> alsoRead,
    boolean several,
    Function<String, T> parser) {

  public static <T> Setting<T> of(
      String name, String placeholder, String byDefault, String range, Function<String, T> parser) {
    return new Setting<>(
        name, (char) 0, placeholder, byDefault, range, "", List.of(), false, parser);
  }

  /** A flag that is either there or not; in files and the environment true or false. */
  public static Setting<Boolean> flag(String name) {
    return of(name, "", "false", "true or false", Parsers::truth);
  }

  public Setting<T> letter(char shortFlag) {
    return new Setting<>(
        name, shortFlag, placeholder, byDefault, range, sentence, alsoRead, several, parser);
  }

  public Setting<T> saying(String words) {
    return new Setting<>(
        name, letter, placeholder, byDefault, range, words, alsoRead, several, parser);
  }

  public Setting<T> reading(String... variables) {
    return new Setting<>(
        name, letter, placeholder, byDefault, range, sentence, List.of(variables), several, parser);
  }

  /** May be given more than once. */
  public Setting<T> repeatable() {
    return new Setting<>(
        name, letter, placeholder, byDefault, range, sentence, alsoRead, true, parser);
  }

  public boolean isSwitch() {
    return placeholder.isEmpty();
  }

  /** {@code FALLOW_GRACE_PERIOD}. */
  public String environment() {
    return "FALLOW_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  T parse(String text, String origin) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException refused) {
      throw new WrongUse(
          origin + ": \"" + abridged(text) + "\" " + refused.getMessage() + "; it takes " + range);
    }
  }

  private String abridged(String text) {
    if (name.contains("token")
        || name.contains("webhook")
        || name.contains("secret")
        || name.equals("ledger")
        || text.contains("@")) {
      return "…";
    }
    return text.length() <= 60 ? text : text.substring(0, 60) + "…";
  }
}
