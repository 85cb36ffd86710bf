package dev.fallow.adapters.prometheus;

import static dev.fallow.adapters.prometheus.BadReply.harmless;
import static dev.fallow.adapters.prometheus.BadReply.missing;
import static dev.fallow.adapters.prometheus.ReplyText.UTIL;
import static dev.fallow.adapters.prometheus.ReplyText.answer;
import static dev.fallow.adapters.prometheus.ReplyText.cutGzip;
import static dev.fallow.adapters.prometheus.ReplyText.endless;
import static dev.fallow.adapters.prometheus.ReplyText.gzip;
import static dev.fallow.adapters.prometheus.ReplyText.redirect;
import static dev.fallow.adapters.prometheus.ReplyText.sample;
import static dev.fallow.adapters.prometheus.ReplyText.series;
import static dev.fallow.adapters.prometheus.ReplyText.start;

import dev.fallow.adapters.prometheus.StubPrometheus.StubReply;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Replies that fail before, or while, an answer comes. */
@Timeout(30)
class BadTransfersTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource({"statuses", "bodies"})
  void isAFailureThatSaysWhyOrHarmless(BadReply bad) {
    bad.check();
  }

  static Stream<BadReply> statuses() {
    String said =
        "{\"status\":\"error\",\"errorType\":\"execution\",\"error\":\"too\\nmany things\"}";
    return Stream.of(
        missing("400", StubReply.of(400, "application/json", said), "400", "too many things"),
        missing(
            "401",
            StubReply.of(401, "text/html", "<html>"),
            "--prometheus-token",
            "PROMETHEUS_TOKEN"),
        missing("403", StubReply.of(403, "text/plain", "no"), "cluster-monitoring-view"),
        missing("404", StubReply.of(404, "text/plain", "404"), "/prometheus", "Thanos"),
        missing("422", StubReply.of(422, "application/json", said), "422", "too many things"),
        missing("422 in no form", StubReply.of(422, "application/json", "{{{"), "422"),
        missing("429", StubReply.of(429, "text/plain", ""), "429", "later"),
        missing("500", StubReply.of(500, "text/plain", "x"), "500", "try again"),
        missing("502", StubReply.of(502, "text/html", "x"), "502"),
        missing(
            "503",
            StubReply.of(503, "text/plain", "Service Unavailable"),
            "starting or overloaded"),
        missing("204", StubReply.bytes(204, Map.of(), new byte[0]), "204"),
        missing("418", StubReply.of(418, "text/plain", "tea"), "418"),
        missing("an endless error", endless(500, "{\"status\":\"error\",\"error\":\"", "x"), "500"),
        missing("a web page", StubReply.of(200, "text/html; charset=utf-8", "<html>"), "web page"),
        missing("plain text", StubReply.of(200, "text/plain", "hello"), "text/plain"),
        missing("protocol buffers", StubReply.of(200, "application/x-protobuf", "x"), "x-protobuf"),
        harmless(
            "no content type",
            StubReply.bytes(200, Map.of(), answer("").getBytes(StandardCharsets.UTF_8)),
            0),
        missing("a redirect loop", redirect("/api/v1/query"), "/api/v1/query"),
        missing(
            "a redirect to a log-in page",
            redirect("https://login.example/oauth?state=secret"),
            "https://login.example/oauth;"),
        missing("a redirect nowhere", StubReply.bytes(302, Map.of(), new byte[0]), "nowhere"),
        missing("a redirect to nonsense", redirect("::::"), "cannot be read"));
  }

  static Stream<BadReply> bodies() {
    return Stream.of(
        missing(
            "an endless number of series",
            endless(200, start(), series(sample(0, "1"), "pod", "p%d") + ","),
            "hold"),
        missing(
            "an endless series",
            endless(200, start() + "{\"metric\":{" + UTIL + "},\"values\":[", sample(0, "1") + ","),
            "50000 samples"),
        missing(
            "endless labels",
            endless(200, start() + "{\"metric\":{", "\"l%d\":\"v%d\","),
            "labels"),
        missing(
            "an endless label",
            endless(200, start() + "{\"metric\":{\"pod\":\"", "xxxxxxxxxxxxxxxx"),
            "hold"),
        missing("endless blanks", endless(200, "", "                "), "bytes"),
        missing("endless zeros", endless(200, "", "0000000000000000"), "not JSON"),
        missing("endless digits", endless(200, "{\"x\":", "1111111111111111"), "hold"),
        missing("a gzip bomb", gzip("{\"status\":\"", 64 << 20), "hold"),
        missing(
            "gzip that is none",
            StubReply.bytes(
                200,
                Map.of("Content-Type", "application/json", "Content-Encoding", "gzip"),
                new byte[] {1, 2, 3}),
            "gzip"),
        missing("gzip cut off", cutGzip(), "cut"),
        missing(
            "an encoding nobody asked for",
            StubReply.bytes(200, Map.of("Content-Encoding", "br"), new byte[] {1}),
            "encoding br"),
        missing(
            "a body shorter than announced",
            new StubReply(
                200,
                Map.of("Content-Type", "application/json"),
                100_000,
                out -> out.write("{\"status\":".getBytes(StandardCharsets.UTF_8))),
            "try again"));
  }
}
