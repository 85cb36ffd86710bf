package dev.fallow.adapters.prometheus;

import static dev.fallow.adapters.prometheus.BadReply.harmless;
import static dev.fallow.adapters.prometheus.BadReply.missing;
import static dev.fallow.adapters.prometheus.ReplyText.NOW;
import static dev.fallow.adapters.prometheus.ReplyText.UTIL;
import static dev.fallow.adapters.prometheus.ReplyText.answer;
import static dev.fallow.adapters.prometheus.ReplyText.json;
import static dev.fallow.adapters.prometheus.ReplyText.manyLabels;
import static dev.fallow.adapters.prometheus.ReplyText.sample;
import static dev.fallow.adapters.prometheus.ReplyText.series;

import dev.fallow.adapters.prometheus.StubPrometheus.StubReply;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers of the right form with samples and labels that are not. */
@Timeout(30)
class BadSamplesTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource({"samples", "labels"})
  void isAFailureThatSaysWhyOrHarmless(BadReply bad) {
    bad.check();
  }

  static Stream<BadReply> samples() {
    return Stream.of(
        valued("NaN", "NaN"),
        valued("+Inf", "+Inf"),
        valued("-Inf", "-Inf"),
        valued("minus zero", "-0"),
        valued("a negative value", "-17"),
        valued("1e308", "1e308"),
        valued("1e400", "1e400"),
        valued("1e-400", "1e-400"),
        valued("text", "banana"),
        valued("no text", ""),
        valued("hexadecimal", "0x1p3"),
        valued("a suffix", "1d"),
        valued("300 digits", "9".repeat(300)),
        valued("5 000 digits", "9".repeat(5000)),
        harmless("a value that is a number", json(answer(series("[" + NOW + ",1.5]"))), 1),
        harmless("a time that is a string", json(answer(series("[\"" + NOW + "\",\"1\"]"))), 1),
        harmless("a time with an exponent", json(answer(series("[" + NOW / 10 + "e1,\"1\"]"))), 1),
        harmless("a time that is NaN", json(answer(series("[\"NaN\",\"1\"]"))), 0),
        harmless("a time of no digits", json(answer(series("[\"-\",\"1\"]"))), 0),
        harmless(
            "a time in the far future", json(answer(series("[99999999999999999999,\"1\"]"))), 0),
        harmless("a time of 1e300", json(answer(series("[1e300,\"1\"]"))), 0),
        harmless("a time in the near future", json(answer(series(sample(1, "1")))), 0),
        harmless("a time before the epoch", json(answer(series("[-5.5,\"1\"]"))), 0),
        missing("a time that is a bare NaN", json(answer(series("[NaN,\"1\"]"))), "not JSON"),
        missing("a value that is null", json(answer(series("[" + NOW + ",null]"))), "sample"),
        missing("a value that is a list", json(answer(series("[" + NOW + ",[]]"))), "sample"),
        missing("a sample of one part", json(answer(series("[" + NOW + "]"))), "sample"),
        missing("a sample of three parts", json(answer(series("[" + NOW + ",\"1\",2]"))), "sample"),
        missing("a sample that is no pair", json(answer(series("1"))), "pair"));
  }

  static Stream<BadReply> labels() {
    return Stream.of(
        labelled("quotes and newlines", "\\\"\\n\\\\"),
        labelled("NUL", "\\u0000"),
        labelled("10 KiB", "x".repeat(10 * 1024)),
        labelled("right to left", "\u202Eabc"),
        labelled("emoji", "\\uD83D\\uDE80"),
        labelled("half an emoji", "\\uD83D"),
        labelled("nothing", ""),
        missing(
            "a label of a megabyte",
            json(answer("{\"metric\":{" + UTIL + ",\"pod\":\"" + "x".repeat(1 << 20) + "\"}}")),
            "hold"),
        missing("a label that is a number", json(answer("{\"metric\":{\"pod\":1}}")), "label"),
        missing("a label that is null", json(answer("{\"metric\":{\"pod\":null}}")), "label"),
        missing(
            "bytes that are no UTF-8",
            StubReply.bytes(
                200,
                Map.of("Content-Type", "application/json"),
                ("{\"status\":\"\u00ff\u00fe\"}").getBytes(StandardCharsets.ISO_8859_1)),
            "not JSON"),
        missing(
            "two thousand labels",
            json(answer("{\"metric\":{" + manyLabels(2000) + "}}")),
            "1000 labels"));
  }

  private static BadReply valued(String name, String value) {
    return harmless("the value " + name, json(answer(series(sample(0, value)))), 1);
  }

  private static BadReply labelled(String name, String value) {
    return harmless("a label of " + name, json(answer(series(sample(0, "1"), "pod", value))), 1);
  }
}
