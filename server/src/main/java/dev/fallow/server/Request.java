package dev.fallow.server;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What somebody asks, taken off the wire: names and values are text without percent signs. */
public final class Request {

  private final String method;
  private final List<String> path;
  private final Map<String, String> parameters;
  private final Map<String, List<String>> query;
  private final Map<String, List<String>> headers;
  private final List<X509Certificate> peer;
  private final byte[] body;

  private Request(
      String method,
      List<String> path,
      Map<String, String> parameters,
      Map<String, List<String>> query,
      Map<String, List<String>> headers,
      List<X509Certificate> peer,
      byte[] body) {
    this.method = method;
    this.path = path;
    this.parameters = parameters;
    this.query = query;
    this.headers = headers;
    this.peer = peer;
    this.body = body;
  }

  /**
   * @param headers each sent once
   * @param body not to be changed from now on
   * @throws Rejected if the URI holds what is not text, or steps out of its place
   */
  public static Request of(String method, URI uri, Map<String, String> headers, byte[] body) {
    Map<String, List<String>> lists = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach((name, value) -> lists.put(name, List.of(value)));
    return of(method, uri, lists, List.of(), body);
  }

  /**
   * @param peer the certificates that whoever asks has shown, their own first; nobody has checked
   *     who signed them, only that the key is theirs
   * @throws Rejected if the URI holds what is not text, or steps out of its place
   */
  public static Request of(
      String method,
      URI uri,
      Map<String, List<String>> headers,
      List<X509Certificate> peer,
      byte[] body) {
    Map<String, List<String>> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach((name, values) -> anyCase.put(name, List.copyOf(values)));
    return new Request(
        method,
        segments(uri.getRawPath()),
        Map.of(),
        pairs(uri.getRawQuery()),
        Collections.unmodifiableMap(anyCase),
        List.copyOf(peer),
        body);
  }

  public static Request get(String uri) {
    return of("GET", URI.create(uri), Map.of(), new byte[0]);
  }

  /** Split before it is decoded: a slash inside a name is no border. */
  static List<String> segments(String rawPath) {
    if (rawPath == null || !rawPath.startsWith("/")) {
      throw new Rejected(Problem.badRequest("a path begins with a slash"));
    }
    List<String> segments = new ArrayList<>();
    for (String raw : rawPath.substring(1).split("/", -1)) {
      String segment = PercentText.segment(raw);
      if (segment.equals(".") || segment.equals("..")) {
        throw new Rejected(Problem.badRequest("a path may not step up or stay"));
      }
      segments.add(segment);
    }
    return List.copyOf(segments);
  }

  private static Map<String, List<String>> pairs(String raw) {
    Map<String, List<String>> pairs = new LinkedHashMap<>();
    if (raw == null || raw.isEmpty()) {
      return pairs;
    }
    for (String pair : raw.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = PercentText.query(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : PercentText.query(pair.substring(equals + 1));
      pairs.computeIfAbsent(name, first -> new ArrayList<>()).add(value);
    }
    return pairs;
  }

  Request withParameters(Map<String, String> found) {
    return new Request(method, path, Map.copyOf(found), query, headers, peer, body);
  }

  public String method() {
    return method;
  }

  public List<String> path() {
    return path;
  }

  /** A part of the path that the route gave a name. */
  public String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalArgumentException("the route names no " + name);
    }
    return value;
  }

  /** The names in the query. */
  public Set<String> queryNames() {
    return Collections.unmodifiableSet(query.keySet());
  }

  /**
   * @throws Rejected if the query holds another name: one that is misspelt would otherwise filter
   *     nothing
   */
  public void takesOnly(Set<String> known) {
    query.keySet().stream()
        .filter(name -> !known.contains(name))
        .sorted()
        .findFirst()
        .ifPresent(name -> {
          throw Rejected.unknown(name, known);
        });
  }

  /**
   * @throws Rejected if it is there twice, since nobody can say which was meant
   */
  public Optional<String> query(String name) {
    List<String> values = query.getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw Rejected.parameter(name, "is given more than once");
    }
    return values.stream().findFirst();
  }

  /** A name that may be given several times: any of its values will do. */
  public List<String> queryAll(String name) {
    return List.copyOf(query.getOrDefault(name, List.of()));
  }

  /** Of one that was sent several times the first. */
  public Optional<String> header(String name) {
    return headerAll(name).stream().findFirst();
  }

  /** Every value that was sent, in their order. */
  public List<String> headerAll(String name) {
    return headers.getOrDefault(name, List.of());
  }

  public Set<String> headerNames() {
    return headers.keySet();
  }

  /** The certificates that were shown, unchecked; none on a connection without TLS. */
  public List<X509Certificate> peer() {
    return peer;
  }

  /** As it was sent; not to be changed. */
  public byte[] body() {
    return body;
  }
}
