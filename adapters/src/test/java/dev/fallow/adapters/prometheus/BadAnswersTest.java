package dev.fallow.adapters.prometheus;

import static dev.fallow.adapters.prometheus.BadReply.harmless;
import static dev.fallow.adapters.prometheus.BadReply.missing;
import static dev.fallow.adapters.prometheus.BadReply.partial;
import static dev.fallow.adapters.prometheus.ReplyText.NOW;
import static dev.fallow.adapters.prometheus.ReplyText.UTIL;
import static dev.fallow.adapters.prometheus.ReplyText.answer;
import static dev.fallow.adapters.prometheus.ReplyText.data;
import static dev.fallow.adapters.prometheus.ReplyText.json;
import static dev.fallow.adapters.prometheus.ReplyText.sample;
import static dev.fallow.adapters.prometheus.ReplyText.series;
import static dev.fallow.adapters.prometheus.ReplyText.success;

import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Answers whose envelope or result is not what the query API promises. */
@Timeout(30)
class BadAnswersTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource({"envelopes", "results"})
  void isAFailureThatSaysWhyOrHarmless(BadReply bad) {
    bad.check();
  }

  static Stream<BadReply> envelopes() {
    String series = series(sample(0, "1"));
    return Stream.of(
        missing("an empty body", json(""), "empty"),
        missing("blanks only", json("  \n "), "empty"),
        missing("null", json("null"), "not a JSON object"),
        missing("a list", json("[]"), "not a JSON object"),
        missing("a number", json("17"), "not a JSON object"),
        missing("an empty object", json("{}"), "status missing"),
        missing("no data", json("{\"status\":\"success\"}"), "no result"),
        missing("data null", json("{\"status\":\"success\",\"data\":null}"), "no result"),
        missing("data a list", json("{\"status\":\"success\",\"data\":[]}"), "no result"),
        missing(
            "status error",
            json("{\"status\":\"error\",\"errorType\":\"timeout\",\"error\":\"query timed out\"}"),
            "query timed out"),
        missing(
            "status error with data",
            json(
                "{\"status\":\"error\",\"error\":\"half\\nof\\tit\",\"data\":"
                    + data("matrix", series)
                    + "}"),
            "half of it"),
        missing(
            "status twice",
            json(
                "{\"status\":\"success\",\"data\":"
                    + data("matrix", series)
                    + ",\"status\":\"error\"}"),
            "status error"),
        missing(
            "an error beside success",
            json(
                "{\"status\":\"success\",\"error\":\"lost\",\"data\":"
                    + data("matrix", series)
                    + "}"),
            "lost"),
        missing("a status that is an object", json("{\"status\":{\"a\":[1]}}"), "status missing"),
        missing("cut off", json(answer(series).substring(0, answer(series).length() - 9)), "cut"),
        missing("cut off in a string", json(answer(series).substring(0, 70)), "cut"),
        missing("something after its end", json(answer(series) + "{}"), "follows its end"),
        missing("not JSON", json("status=success"), "not JSON"),
        missing("JSON with comments", json("/* hi */" + answer(series)), "not JSON"),
        missing("a web page that claims JSON", json("<html>"), "not JSON"),
        missing("nested deeper than anybody needs", json("{\"x\":" + "[".repeat(5000)), "hold"),
        harmless(
            "keys in another order",
            json(
                "{\"infos\":[\"i\"],\"data\":{\"result\":["
                    + series
                    + "],\"extra\":{\"a\":[{}]},\"resultType\":\"matrix\"},\"x\":null,"
                    + "\"status\":\"success\"}"),
            1),
        harmless("only infos", json(answer(series).replaceFirst("\\{", "{\"infos\":[\"x\"],")), 1),
        harmless("no warnings", json(answer(series).replaceFirst("\\{", "{\"warnings\":[],")), 1),
        harmless(
            "null warnings", json(answer(series).replaceFirst("\\{", "{\"warnings\":null,")), 1),
        partial(
            "warnings",
            json(
                answer(series)
                    .replaceFirst("\\{", "{\"warnings\":[\"store a is\\\\nout\",\"b\"],")),
            "store a is out"),
        partial(
            "warnings after the data",
            json(answer(series).replaceFirst("}$", ",\"warnings\":[\"late\"]}")),
            "late"),
        partial(
            "a warning that is no list",
            json(answer(series).replaceFirst("\\{", "{\"warnings\":\"odd\",")),
            "odd"),
        partial(
            "a warning of 100 KB",
            json(
                answer(series)
                    .replaceFirst("\\{", "{\"warnings\":[\"" + "w".repeat(100_000) + "\"],")),
            "www"),
        harmless(
            "a part that is a list",
            json(answer(series).replaceFirst("\\{", "{\"isPartial\":[{\"a\":[1]}],")),
            1),
        partial(
            "a part of VictoriaMetrics",
            json(answer(series).replaceFirst("\\{", "{\"isPartial\":true,")),
            "isPartial"));
  }

  static Stream<BadReply> results() {
    String vector = "{\"metric\":{" + UTIL + "},\"value\":[" + NOW + ",\"0\"]}";
    return Stream.of(
        missing("a vector", json(success(data("vector", vector))), "vector"),
        missing("an empty vector", json(success(data("vector", ""))), "vector"),
        missing(
            "a vector that claims to be a matrix", json(success(data("matrix", vector))), "form"),
        missing("a scalar", json(success(data("scalar", NOW + ",\"1\""))), "scalar"),
        missing("a string", json(success(data("string", NOW + ",\"x\""))), "string"),
        missing("numbers in a matrix", json(success(data("matrix", "1,2"))), "form"),
        missing("no result type", json(success("{\"result\":[]}")), "unnamed"),
        missing(
            "a result that is text",
            json(success("{\"resultType\":\"matrix\",\"result\":\"x\"}")),
            "form"),
        harmless("a null result", json(success("{\"resultType\":\"matrix\",\"result\":null}")), 0),
        harmless("an empty matrix", json(answer("")), 0),
        harmless("a series without anything", json(answer("{}")), 0),
        harmless(
            "a series without labels", json(answer("{\"values\":[" + sample(0, "1") + "]}")), 0),
        harmless("a series without values", json(answer("{\"metric\":{" + UTIL + "}}")), 0),
        harmless(
            "a histogram",
            json(answer("{\"metric\":{" + UTIL + "},\"histograms\":[[1,{\"a\":[]}]]}")),
            0),
        harmless(
            "values before labels",
            json(answer("{\"values\":[" + sample(0, "1") + "],\"metric\":{" + UTIL + "}}")),
            1),
        harmless(
            "a series twice",
            json(answer(series(sample(0, "1")) + "," + series(sample(-1, "1")))),
            1),
        missing("labels that are a list", json(answer("{\"metric\":[]}")), "labels"),
        missing("values that are an object", json(answer("{\"values\":{}}")), "values"),
        harmless(
            "a family nobody asked for",
            json(answer("{\"metric\":{\"__name__\":\"up\"},\"values\":[" + sample(0, "1") + "]}")),
            0));
  }
}
