package dev.fallow.adapters.prometheus;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads a reply piece by piece as it arrives: JSON in UTF-8, strictly, and with bounds to how deep
 * it goes and how long a text is. A fleet's window is millions of samples, so these are read by
 * {@link #sample} straight from the bytes, and nothing is made of a text but what the caller wants.
 *
 * <p>Whoever reads asks for the {@link #kind} of what comes next, and then takes or skips it:
 *
 * <pre>
 * for (boolean more = reply.beginObject(); more; more = reply.moreInObject()) {
 *   String name = reply.name(pool);
 *   reply.skip();
 * }
 * </pre>
 */
final class ReplyReader {

  /** What a value can be. */
  enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    TRUE,
    FALSE,
    NULL
  }

  private static final int DEEPEST = 64;
  private static final int LONGEST_TEXT = 128 * 1024;
  private static final int LONGEST_NUMBER = 400;

  /** What {@link #look} sees behind the last byte. */
  private static final int END = -1;

  private final InputStream body;
  private byte[] buffer = new byte[64 * 1024];
  private int at;
  private int end;
  private int depth;

  /** Where the text or number that was read last stands in the buffer. */
  private int start;

  private int length;

  private final PlainSample plain = new PlainSample();
  private long millis;
  private double value;

  ReplyReader(InputStream body) {
    this.body = body;
  }

  /** Whether nothing but blanks follows. */
  boolean atEnd() throws IOException {
    return lookPastBlanks() == END;
  }

  /** The kind of the value that comes next. */
  Kind kind() throws IOException {
    int first = lookPastBlanks();
    return switch (first) {
      case '{' -> Kind.OBJECT;
      case '[' -> Kind.ARRAY;
      case '"' -> Kind.STRING;
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> Kind.NUMBER;
      case 't' -> Kind.TRUE;
      case 'f' -> Kind.FALSE;
      case 'n' -> Kind.NULL;
      default -> throw unexpected("a value");
    };
  }

  /** Goes into an object; whether there is anything in it. */
  boolean beginObject() throws IOException {
    return begin('{', '}');
  }

  /** Goes on to the object's next member, or out of it if there is none. */
  boolean moreInObject() throws IOException {
    return more('}');
  }

  boolean beginArray() throws IOException {
    return begin('[', ']');
  }

  boolean moreInArray() throws IOException {
    return more(']');
  }

  /** The name of a member; its value comes next. */
  String name(StringPool pool) throws IOException {
    String name = string(pool);
    lookPastBlanks();
    take(':');
    return name;
  }

  String string(StringPool pool) throws IOException {
    readString();
    return pool.of(buffer, start, length);
  }

  /** The same, for a name that mostly is the one that is given. */
  String name(StringPool pool, PooledText likely) throws IOException {
    String name = string(pool, likely);
    lookPastBlanks();
    take(':');
    return name;
  }

  /** The same, for a string that often is the one that is given. */
  String string(StringPool pool, PooledText likely) throws IOException {
    lookPastBlanks();
    take('"');
    if (likely.stands(buffer, at, end)) {
      at += likely.length() + 1;
      return likely.text();
    }
    readText();
    String text = pool.of(buffer, start, length);
    boolean asWritten = at - start == length + 1;
    if (asWritten) {
      likely.hold(text, buffer, start, length);
    }
    return text;
  }

  /** What a value says; an object, a list and null say nothing. */
  String words() throws IOException {
    switch (kind()) {
      case STRING -> readString();
      case NUMBER -> readNumber();
      case TRUE -> readWord("true");
      case FALSE -> readWord("false");
      default -> {
        skip();
        return "";
      }
    }
    return new String(buffer, start, length, StandardCharsets.UTF_8);
  }

  /** Passes over a value. It has to be JSON all the same. */
  void skip() throws IOException {
    switch (kind()) {
      case OBJECT -> {
        for (boolean more = beginObject(); more; more = moreInObject()) {
          readString();
          lookPastBlanks();
          take(':');
          skip();
        }
      }
      case ARRAY -> {
        for (boolean more = beginArray(); more; more = moreInArray()) {
          skip();
        }
      }
      case STRING -> readString();
      case NUMBER -> readNumber();
      case TRUE -> readWord("true");
      case FALSE -> readWord("false");
      case NULL -> readWord("null");
    }
  }

  /**
   * Reads a sample: a list of its time and its value, each a number or a text.
   *
   * @throws MalformedReply if it is anything else
   */
  void sample() throws IOException {
    int behind = plain.read(buffer, at, end);
    if (behind >= 0) {
      at = behind;
      millis = plain.millis();
      value = plain.value();
      return;
    }
    if (kind() != Kind.ARRAY) {
      throw new MalformedReply("a sample is not a pair");
    }
    readScalar(beginArray());
    millis = DecimalText.millis(buffer, start, length);
    readScalar(moreInArray());
    value = DecimalText.value(buffer, start, length);
    if (moreInArray()) {
      throw new MalformedReply("a sample is not a pair");
    }
  }

  /** The time of the sample that was read last; {@link DecimalText#NO_TIME} if it is none. */
  long millis() {
    return millis;
  }

  /** The value of the sample that was read last; not a number if it is none. */
  double value() {
    return value;
  }

  private void readScalar(boolean there) throws IOException {
    Kind kind = there ? kind() : Kind.NULL;
    switch (kind) {
      case STRING -> readString();
      case NUMBER -> readNumber();
      default -> throw new MalformedReply("a sample is not a time and a value");
    }
  }

  private boolean begin(char open, char close) throws IOException {
    lookPastBlanks();
    take(open);
    if (++depth > DEEPEST) {
      throw new ReplyTooLarge("it is nested deeper than " + DEEPEST + " levels");
    }
    if (lookPastBlanks() != close) {
      return true;
    }
    at++;
    depth--;
    return false;
  }

  private boolean more(char close) throws IOException {
    int next = lookPastBlanks();
    if (next == ',') {
      at++;
      return true;
    }
    if (next != close) {
      throw unexpected("a comma or " + close);
    }
    at++;
    depth--;
    return false;
  }

  private void readString() throws IOException {
    lookPastBlanks();
    take('"');
    readText();
  }

  /** Reads up to a quote. Escapes are replaced where they stand: none is shorter than its text. */
  private void readText() throws IOException {
    start = at;
    length = 0;
    boolean ascii = true;
    while (true) {
      readPlainText();
      int special = look();
      if (special == END) {
        throw new EOFException();
      }
      at++;
      if (special == '"') {
        break;
      }
      if (special == '\\') {
        readEscape();
      } else if (special < ' ') {
        throw new NotJson("a text with a bare " + named(special));
      } else {
        ascii = false;
        append((byte) special);
      }
    }
    if (at - start > LONGEST_TEXT) {
      throw tooLong();
    }
    if (!ascii) {
      requireUtf8();
    }
  }

  /** Takes what stands for itself, as far as the buffer goes. */
  private void readPlainText() {
    byte[] bytes = buffer;
    int from = at;
    int limit = end;
    int i = from;
    while (i < limit) {
      byte one = bytes[i];
      if (one < ' ' || one == '"' || one == '\\') {
        break;
      }
      i++;
    }
    if (start + length != from) {
      System.arraycopy(bytes, from, bytes, start + length, i - from);
    }
    length += i - from;
    at = i;
  }

  private void readEscape() throws IOException {
    int escaped = look();
    if (escaped == END) {
      throw new EOFException();
    }
    at++;
    switch (escaped) {
      case '"', '\\', '/' -> append((byte) escaped);
      case 'b' -> append((byte) '\b');
      case 'f' -> append((byte) '\f');
      case 'n' -> append((byte) '\n');
      case 'r' -> append((byte) '\r');
      case 't' -> append((byte) '\t');
      case 'u' -> readEscapedUnit();
      default -> throw new NotJson("a backslash before " + named(escaped));
    }
  }

  /**
   * A half of a pair that stands alone is nothing that UTF-8 can say; it becomes a question mark.
   */
  private void readEscapedUnit() throws IOException {
    if (!has(4)) {
      throw new EOFException();
    }
    int codePoint = unitAt(at);
    if (codePoint < 0) {
      throw new NotJson("an escape without its four digits");
    }
    at += 4;
    if (Character.isHighSurrogate((char) codePoint)) {
      int second = secondHalf();
      if (second >= 0) {
        at += 6;
        codePoint = Character.toCodePoint((char) codePoint, (char) second);
      }
    }
    for (byte one : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8)) {
      append(one);
    }
  }

  /** The other half of a pair, if that is what comes next. */
  private int secondHalf() throws IOException {
    if (!has(6) || buffer[at] != '\\' || buffer[at + 1] != 'u') {
      return END;
    }
    int unit = unitAt(at + 2);
    return unit >= 0 && Character.isLowSurrogate((char) unit) ? unit : END;
  }

  private int unitAt(int first) {
    int unit = 0;
    for (int i = first; i < first + 4; i++) {
      int digit = Character.digit(buffer[i], 16);
      if (digit < 0) {
        return END;
      }
      unit = 16 * unit + digit;
    }
    return unit;
  }

  private void append(byte one) {
    buffer[start + length++] = one;
  }

  private void requireUtf8() throws NotJson {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(buffer, start, length));
    } catch (CharacterCodingException other) {
      throw new NotJson("a text that is not UTF-8");
    }
  }

  private void readNumber() throws IOException {
    lookPastBlanks();
    start = at;
    if (look() == '-') {
      at++;
    }
    if (look() == '0') {
      at++;
      if (isDigit(look())) {
        throw new NotJson("a number that begins with 0");
      }
    } else {
      readDigits();
    }
    if (look() == '.') {
      at++;
      readDigits();
    }
    if (look() == 'e' || look() == 'E') {
      at++;
      if (look() == '+' || look() == '-') {
        at++;
      }
      readDigits();
    }
    length = at - start;
    if (length > LONGEST_NUMBER) {
      throw new ReplyTooLarge("a number has more than " + LONGEST_NUMBER + " characters");
    }
  }

  private void readDigits() throws IOException {
    if (!isDigit(look())) {
      throw unexpected("a digit");
    }
    while (isDigit(look())) {
      at++;
    }
  }

  private static boolean isDigit(int one) {
    return one >= '0' && one <= '9';
  }

  private void readWord(String word) throws IOException {
    lookPastBlanks();
    start = at;
    for (int i = 0; i < word.length(); i++) {
      if (look() != word.charAt(i)) {
        throw unexpected(word);
      }
      at++;
    }
    length = word.length();
  }

  private void take(char wanted) throws IOException {
    if (look() != wanted) {
      throw unexpected(String.valueOf(wanted));
    }
    at++;
  }

  private int lookPastBlanks() throws IOException {
    while (true) {
      if (at == end) {
        start = at;
        if (!fill()) {
          return END;
        }
      }
      int next = buffer[at] & 0xff;
      if (next > ' ' || !(next == ' ' || next == '\n' || next == '\r' || next == '\t')) {
        return next;
      }
      at++;
    }
  }

  /** The next byte. */
  private int look() throws IOException {
    return at < end || fill() ? buffer[at] & 0xff : END;
  }

  /** Whether so many bytes follow, which are in the buffer then. */
  private boolean has(int bytes) throws IOException {
    while (end - at < bytes) {
      if (!fill()) {
        return false;
      }
    }
    return true;
  }

  /** Reads on, and keeps the text that has begun. False at the end of the body. */
  private boolean fill() throws IOException {
    if (end - start > LONGEST_TEXT) {
      throw tooLong();
    }
    if (end - start > buffer.length / 2) {
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    System.arraycopy(buffer, start, buffer, 0, end - start);
    at -= start;
    end -= start;
    start = 0;
    int read = body.read(buffer, end, buffer.length - end);
    end += Math.max(read, 0);
    return read > 0;
  }

  private static ReplyTooLarge tooLong() {
    return new ReplyTooLarge("a text in it is longer than " + LONGEST_TEXT + " bytes");
  }

  private IOException unexpected(String wanted) throws IOException {
    int found = look();
    return found == END
        ? new EOFException()
        : new NotJson(named(found) + " where " + wanted + " should be");
  }

  private static String named(int found) {
    return found > ' ' && found < 0x7f ? "'" + (char) found + "'" : "byte " + found;
  }
}
