package dev.fallow.server;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An answer: whole and ready to be sent, or one that goes on for as long as somebody listens. */
public final class Reply {

  /** On every answer, unless the answer says otherwise itself. */
  private static final Map<String, String> USUAL_HEADERS =
      Map.of(
          "X-Content-Type-Options", "nosniff",
          "Cache-Control", "no-store",
          "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
          "X-Frame-Options", "DENY",
          "Referrer-Policy", "no-referrer");

  private static final Body NOTHING = Body.of(new byte[0]);

  private final int status;
  private final Body body;
  private final Map<String, String> headers;
  private final Optional<Stream> stream;
  private final List<String> cookies;
  private final Runnable afterwards;

  /** Writes until there is no more to say, or nobody to say it to. */
  @FunctionalInterface
  public interface Stream {
    void writeTo(OutputStream out) throws IOException;
  }

  private Reply(
      int status,
      Body body,
      Map<String, String> headers,
      Optional<Stream> stream,
      List<String> cookies,
      Runnable afterwards) {
    this.status = status;
    this.body = body;
    this.stream = stream;
    this.cookies = List.copyOf(cookies);
    this.afterwards = afterwards;
    this.headers = Collections.unmodifiableMap(headers);
  }

  /**
   * @param body not to be changed from now on
   */
  public static Reply of(int status, String contentType, byte[] body) {
    return of(status, contentType, Body.of(body));
  }

  public static Reply of(int status, String contentType, Body body) {
    if (status < 200 || status > 599) {
      throw new IllegalArgumentException(status + " is not the status of an answer");
    }
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(USUAL_HEADERS);
    return new Reply(status, body, headers, Optional.empty(), List.of(), () -> {})
        .with("Content-Type", contentType);
  }

  public static Reply stream(String contentType, Stream stream) {
    Map<String, String> headers = new TreeMap<>(USUAL_HEADERS);
    return new Reply(200, NOTHING, headers, Optional.of(stream), List.of(), () -> {})
        .with("Content-Type", contentType);
  }

  public static Reply of(int status, String contentType, String body) {
    return of(status, contentType, body.getBytes(StandardCharsets.UTF_8));
  }

  public static Reply json(int status, Object value) {
    return of(status, "application/json", JsonText.bytes(value));
  }

  public static Reply text(int status, String text) {
    return of(status, "text/plain; charset=utf-8", text);
  }

  /**
   * The same with one more header, or another value of it.
   *
   * @throws IllegalArgumentException if the value would end the header and begin another
   */
  public Reply with(String name, String value) {
    check(name, value);
    Map<String, String> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    more.putAll(headers);
    more.put(name, value);
    return new Reply(status, body, more, stream, cookies, afterwards);
  }

  /** The same, told in other bytes. */
  Reply with(Body other) {
    return new Reply(status, other, headers, stream, cookies, afterwards);
  }

  /** The same with one more cookie to keep; the one header of which there may be several. */
  public Reply withCookie(String cookie) {
    check("Set-Cookie", cookie);
    List<String> more = new ArrayList<>(cookies);
    more.add(cookie);
    return new Reply(status, body, headers, stream, more, afterwards);
  }

  /** The same, and what is to be done once it has been sent, or cannot be. */
  Reply then(Runnable done) {
    return new Reply(status, body, headers, stream, cookies, done);
  }

  private static void check(String name, String value) {
    if (value.chars().anyMatch(c -> c < 0x20 || c > 0x7e)) {
      throw new IllegalArgumentException("the header " + name + " holds what no header may");
    }
  }

  public int status() {
    return status;
  }

  public Body body() {
    return body;
  }

  Runnable afterwards() {
    return afterwards;
  }

  Optional<Stream> stream() {
    return stream;
  }

  /** As they are sent. */
  public List<String> cookies() {
    return cookies;
  }

  public String bodyText() {
    return new String(body.joined(), StandardCharsets.UTF_8);
  }

  /** By name, in no regard of case. */
  public Map<String, String> headers() {
    return headers;
  }
}
