package dev.fallow.rig.fault;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The first line and the headers of an HTTP/1.1 request or answer, kept as they came. */
record HttpHead(String startLine, List<String> headers) {
  private static final int LIMIT = 256 * 1024;

  static HttpHead read(InputStream in) throws IOException {
    List<String> lines = new ArrayList<>();
    int size = 0;
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      lines.add(line);
      size += line.length();
      if (size > LIMIT) {
        throw new IOException("a head of more than " + LIMIT + " bytes");
      }
    }
    if (lines.isEmpty()) {
      throw new EOFException("no head");
    }
    return new HttpHead(lines.getFirst(), List.copyOf(lines.subList(1, lines.size())));
  }

  /** A line without its end. */
  static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        throw new EOFException("the connection ended within a line");
      }
      line.write(b);
      if (line.size() > LIMIT) {
        throw new IOException("a line of more than " + LIMIT + " bytes");
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  String method() {
    return word(0);
  }

  /** Path and query. */
  String path() {
    return word(1);
  }

  int status() throws IOException {
    try {
      return Integer.parseInt(word(1));
    } catch (NumberFormatException e) {
      throw new IOException("not a status line: " + startLine, e);
    }
  }

  private String word(int index) {
    String[] words = startLine.split(" ", -1);
    return index < words.length ? words[index] : "";
  }

  Optional<String> header(String name) {
    return headers.stream()
        .filter(header -> isNamed(header, name))
        .map(header -> header.substring(name.length() + 1).strip())
        .findFirst();
  }

  boolean says(String name, String value) {
    return header(name).orElse("").toLowerCase(Locale.ROOT).contains(value);
  }

  HttpHead without(String name) {
    return new HttpHead(
        startLine, headers.stream().filter(header -> !isNamed(header, name)).toList());
  }

  HttpHead with(String name, String value) {
    List<String> more = new ArrayList<>(without(name).headers());
    more.add(name + ": " + value);
    return new HttpHead(startLine, more);
  }

  private static boolean isNamed(String header, String name) {
    return header.regionMatches(true, 0, name + ":", 0, name.length() + 1);
  }

  byte[] bytes() {
    StringBuilder text = new StringBuilder(startLine).append("\r\n");
    headers.forEach(header -> text.append(header).append("\r\n"));
    return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
