package dev.fallow.core.autoscale;

import dev.fallow.core.autoscale.Selector.Operator;
import dev.fallow.core.autoscale.Selector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Label selectors as queries write them, with the grammar that the API server has: {@code a=b},
 * {@code a==b}, {@code a!=b}, {@code a in (b,c)}, {@code a notin (b)}, {@code a}, {@code !a}, and
 * commas between them. What cannot be read is never taken for "any": a filter that filters nothing
 * would answer for objects nobody asked about.
 */
public final class SelectorText {

  private static final int LONGEST = 8192;
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?");
  private static final Pattern DOMAIN =
      Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");
  private static final int LONGEST_DOMAIN = 253;

  /** What became of a text. */
  public sealed interface Parsed {

    record Read(Selector selector) implements Parsed {}

    /**
     * @param why for whoever wrote it; says where in the text
     */
    record Unreadable(String why) implements Parsed {}
  }

  private static final class Malformed extends RuntimeException {
    Malformed(String message) {
      super(message, null, false, false);
    }
  }

  private final List<String> tokens;
  private int next;

  private SelectorText(List<String> tokens) {
    this.tokens = tokens;
  }

  /** Nothing written means any. */
  public static Parsed parse(String text) {
    if (text.length() > LONGEST) {
      return new Parsed.Unreadable("a selector has at most " + LONGEST + " characters");
    }
    try {
      List<String> tokens = tokens(text);
      return new Parsed.Read(
          tokens.isEmpty() ? Selector.ANY : new Selector(new SelectorText(tokens).requirements()));
    } catch (Malformed wrong) {
      return new Parsed.Unreadable(String.valueOf(wrong.getMessage()));
    }
  }

  private static List<String> tokens(String text) {
    List<String> tokens = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == ' ' || c == '\t') {
        at++;
      } else if (c == '(' || c == ')' || c == ',') {
        tokens.add(String.valueOf(c));
        at++;
      } else if (isSign(c)) {
        int end = at + 1;
        if (c != '<' && c != '>' && end < text.length() && text.charAt(end) == '=') {
          end++;
        }
        tokens.add(text.substring(at, end));
        at = end;
      } else {
        int end = at;
        while (end < text.length() && isOfAWord(text.charAt(end))) {
          end++;
        }
        if (end == at) {
          throw new Malformed("character " + (at + 1) + " belongs into no selector");
        }
        tokens.add(text.substring(at, end));
        at = end;
      }
    }
    return tokens;
  }

  private static boolean isSign(char c) {
    return c == '=' || c == '!' || c == '<' || c == '>';
  }

  private static boolean isOfAWord(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '-'
        || c == '_'
        || c == '.'
        || c == '/';
  }

  private List<Requirement> requirements() {
    List<Requirement> requirements = new ArrayList<>();
    requirements.add(requirement());
    while (next < tokens.size()) {
      take(",");
      requirements.add(requirement());
    }
    return requirements;
  }

  private Requirement requirement() {
    if (peek().equals("!")) {
      next++;
      return new Requirement(key(), Operator.DOES_NOT_EXIST, Set.of());
    }
    String key = key();
    return switch (peek()) {
      case "", "," -> new Requirement(key, Operator.EXISTS, Set.of());
      case "=", "==" -> new Requirement(key, Operator.IN, Set.of(after()));
      case "!=" -> new Requirement(key, Operator.NOT_IN, Set.of(after()));
      case "in" -> new Requirement(key, Operator.IN, several());
      case "notin" -> new Requirement(key, Operator.NOT_IN, several());
      case "<", ">" ->
          throw new Malformed("comparing " + key + " by size is not supported; name its values");
      default ->
          throw new Malformed("after the key " + key + " there is =, !=, in, notin or a comma");
    };
  }

  /** The value after a sign; there may be none, which means the empty one. */
  private String after() {
    next++;
    String token = peek();
    if (token.isEmpty() || token.equals(",")) {
      return "";
    }
    next++;
    return value(token);
  }

  private Set<String> several() {
    next++;
    take("(");
    Set<String> values = new TreeSet<>();
    while (true) {
      String token = peek();
      if (token.equals(",") || token.equals(")")) {
        values.add("");
      } else {
        next++;
        values.add(value(token));
      }
      if (peek().equals(")")) {
        next++;
        return values;
      }
      take(",");
    }
  }

  private String key() {
    String token = peek();
    int slash = token.indexOf('/');
    String domain = slash < 0 ? "" : token.substring(0, slash);
    String name = token.substring(slash + 1);
    boolean sound =
        NAME.matcher(name).matches()
            && (slash < 0
                || (domain.length() <= LONGEST_DOMAIN && DOMAIN.matcher(domain).matches()));
    if (!sound) {
      throw new Malformed("part " + (next + 1) + " has to be the key of a label");
    }
    next++;
    return token;
  }

  private static String value(String token) {
    if (!NAME.matcher(token).matches()) {
      throw new Malformed(
          "a value has at most 63 letters, digits, -, _ and ., and begins and ends with a letter or"
              + " a digit");
    }
    return token;
  }

  /** The next token; empty at the end. */
  private String peek() {
    return next < tokens.size() ? tokens.get(next) : "";
  }

  private void take(String expected) {
    if (!peek().equals(expected)) {
      throw new Malformed("part " + (next + 1) + " has to be " + expected);
    }
    next++;
  }
}
