package dev.fallow.rig;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads one JSON text by recursive descent. */
final class JsonReader {
  private final String text;
  private int position;

  JsonReader(String text) {
    this.text = text;
  }

  Json read() {
    Json json = value();
    skipSpace();
    if (position < text.length()) {
      throw unexpected();
    }
    return json;
  }

  private Json value() {
    skipSpace();
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> Json.text(string());
      case 't' -> literal("true", Json.bool(true));
      case 'f' -> literal("false", Json.bool(false));
      case 'n' -> literal("null", Json.missing());
      default -> number();
    };
  }

  private Json object() {
    Map<String, Json> fields = new LinkedHashMap<>();
    expect('{');
    skipSpace();
    if (peek() == '}') {
      position++;
      return Json.object(fields);
    }
    while (true) {
      skipSpace();
      String key = string();
      skipSpace();
      expect(':');
      fields.put(key, value());
      skipSpace();
      if (peek() == '}') {
        position++;
        return Json.object(fields);
      }
      expect(',');
    }
  }

  private Json array() {
    List<Json> items = new ArrayList<>();
    expect('[');
    skipSpace();
    if (peek() == ']') {
      position++;
      return Json.array(items);
    }
    while (true) {
      items.add(value());
      skipSpace();
      if (peek() == ']') {
        position++;
        return Json.array(items);
      }
      expect(',');
    }
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (true) {
      char c = peek();
      position++;
      switch (c) {
        case '"' -> {
          return out.toString();
        }
        case '\\' -> out.append(escaped());
        default -> out.append(c);
      }
    }
  }

  private char escaped() {
    char c = peek();
    position++;
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (position + 4 > text.length()) {
          throw unexpected();
        }
        char code = (char) Integer.parseInt(text, position, position + 4, 16);
        position += 4;
        yield code;
      }
      case '"', '\\', '/' -> c;
      default -> throw unexpected();
    };
  }

  private Json number() {
    int start = position;
    while (position < text.length() && "+-.0123456789eE".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
    if (start == position) {
      throw unexpected();
    }
    return Json.number(new BigDecimal(text.substring(start, position)));
  }

  private Json literal(String word, Json meaning) {
    if (!text.startsWith(word, position)) {
      throw unexpected();
    }
    position += word.length();
    return meaning;
  }

  private void expect(char wanted) {
    if (peek() != wanted) {
      throw unexpected();
    }
    position++;
  }

  private char peek() {
    if (position >= text.length()) {
      throw unexpected();
    }
    return text.charAt(position);
  }

  private void skipSpace() {
    while (position < text.length() && " \t\r\n".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  private IllegalArgumentException unexpected() {
    int from = Math.max(0, Math.min(position, text.length()) - 20);
    int to = Math.min(text.length(), position + 20);
    return new IllegalArgumentException(
        "not JSON at offset " + position + ": ..." + text.substring(from, to) + "...");
  }
}
