package dev.fallow.adapters.prometheus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fallow.adapters.prometheus.PlainReading.Answer;
import dev.fallow.adapters.prometheus.PlainReading.Sample;
import dev.fallow.adapters.prometheus.PlainReading.Series;
import dev.fallow.core.idle.Samples;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The fast way to read a reply comes to what a plain one comes to, whatever the reply is and in
 * whatever pieces it arrives. Where the two differ by intent, {@link PlainReading} says so.
 */
class PlainReadingTest {

  private static final SampleRange RANGE =
      new SampleRange(
          BadReply.AT.minus(Duration.ofHours(1)).toEpochMilli(), BadReply.AT.toEpochMilli());
  private static final ReadLimits LIMITS =
      new ReadLimits(1 << 30, 1000, 100_000, 50_000, 2_000_000);
  private static final String BYTES = "{}[]\",:\\0123456789eE.+-tfnu \n\u0001é";

  @Test
  void wellFormedRepliesAreReadAlike() {
    Random random = new Random(20261118);
    RandomReply replies = new RandomReply(random, ReplyText.NOW);
    int answers = 0;
    int samples = 0;
    for (int i = 0; i < 4000; i++) {
      byte[] body = replies.next().getBytes(StandardCharsets.UTF_8);
      Optional<Answer> answer = requireAgreement(body, random);
      answers += answer.isPresent() ? 1 : 0;
      samples += answer.stream().mapToInt(PlainReadingTest::samples).sum();
    }
    assertThat(answers).isGreaterThan(2000);
    assertThat(samples).isGreaterThan(20_000);
  }

  @Test
  void mutilatedRepliesAreReadOrRefusedAlike() {
    Random random = new Random(20261119);
    RandomReply replies = new RandomReply(random, ReplyText.NOW);
    int refused = 0;
    int taken = 0;
    for (int i = 0; i < 6000; i++) {
      byte[] body = replies.next().getBytes(StandardCharsets.UTF_8);
      for (int wounds = 1 + random.nextInt(3); wounds > 0; wounds--) {
        body = mutilated(body, random);
      }
      boolean answered = requireAgreement(body, random).isPresent();
      refused += answered ? 0 : 1;
      taken += answered ? 1 : 0;
    }
    assertThat(refused).isGreaterThan(1000);
    assertThat(taken).isGreaterThan(500);
  }

  /** To try again helps against a reply that was cut off, and not against one that is wrong. */
  @Test
  void whereverAReplyIsCutOffItIsSaidSo() {
    String samples = "[1793620799.123,\"0.5\"],[-1.5e+3,\"\\u00e9\\uD83D\\uDE80é\"]";
    String series = ReplyText.series(samples, "pod", "\\\"a\\n");
    String whole =
        "{ \"warnings\" : [true,false,null,{}], \"x\": -0.5e-1,"
            + ReplyText.answer(series).substring(1);
    byte[] body = whole.getBytes(StandardCharsets.UTF_8);
    assertThat(read(new ByteArrayInputStream(body))).isPresent();
    for (int length = 1; length < body.length; length++) {
      byte[] cut = Arrays.copyOf(body, length);
      assertThatThrownBy(() -> parse(new ByteArrayInputStream(cut), new ArrayList<>()))
          .as(new String(cut, StandardCharsets.UTF_8))
          .isInstanceOf(EOFException.class);
    }
  }

  @Test
  void whatStandsInTheMiddleOfALongReplyIsReadAlike() {
    Random random = new Random(20261120);
    StringBuilder series = new StringBuilder();
    for (int i = 0; i < 600; i++) {
      StringBuilder samples = new StringBuilder();
      for (int s = 0; s < 60; s++) {
        String value = random.nextInt(3) == 0 ? "0" : "" + random.nextInt(2_000_000) / 1e6;
        samples.append(s == 0 ? "" : ",").append(ReplyText.sample(30 * (s - 60), value));
      }
      String pod = random.nextInt(3) == 0 ? "p\\u006fd-" + i % 7 : "pod-" + i % 7;
      series.append(i == 0 ? "" : ",").append(ReplyText.series(samples.toString(), "pod", pod));
    }
    byte[] body = ReplyText.answer(series.toString()).getBytes(StandardCharsets.UTF_8);

    Optional<Answer> answer = requireAgreement(body, random);

    assertThat(answer.stream().mapToInt(PlainReadingTest::samples).sum()).isEqualTo(600 * 60);
  }

  private static int samples(Answer answer) {
    return answer.series().stream().mapToInt(one -> one.samples().size()).sum();
  }

  private static Optional<Answer> requireAgreement(byte[] body, Random random) {
    Optional<Answer> plain = PlainReading.of(body, RANGE);
    Optional<Answer> whole = read(new ByteArrayInputStream(body));
    Optional<Answer> inPieces = read(new Pieces(body, random));
    if (!whole.equals(plain) || !inPieces.equals(plain)) {
      throw new AssertionError(
          "%s is read as %s, in pieces as %s, and means %s"
              .formatted(new String(body, StandardCharsets.UTF_8), whole, inPieces, plain));
    }
    return plain;
  }

  private static Optional<Answer> read(InputStream body) {
    try {
      List<Series> series = new ArrayList<>();
      return Optional.of(new Answer(parse(body, series), series));
    } catch (IOException refused) {
      return Optional.empty();
    }
  }

  private static MatrixAnswer parse(InputStream body, List<Series> series) throws IOException {
    Instant base = Instant.ofEpochMilli(RANGE.after());
    return new MatrixParser(
            RANGE,
            base,
            LIMITS,
            new StringPool(LIMITS.labelBytes()),
            (metric, labels, samples) ->
                series.add(new Series(metric, copy(labels), samples(samples))))
        .parse(body);
  }

  private static Map<String, String> copy(Map<String, String> labels) {
    return new HashMap<>(labels);
  }

  private static List<Sample> samples(Samples samples) {
    List<Sample> all = new ArrayList<>();
    for (int i = 0; i < samples.size(); i++) {
      all.add(new Sample(samples.millis(i), samples.value(i)));
    }
    return all;
  }

  private static byte[] mutilated(byte[] body, Random random) {
    int at = random.nextInt(body.length + 1);
    int behind = Math.min(body.length, at + random.nextInt(12));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(body, 0, at);
    switch (random.nextInt(5)) {
      case 0 -> out.write(body, behind, body.length - behind);
      case 1 -> out.write(body, Math.max(0, at - 9), body.length - Math.max(0, at - 9));
      case 2 -> {
        out.write(BYTES.charAt(random.nextInt(BYTES.length())));
        out.write(body, at, body.length - at);
      }
      case 3 -> {
        out.write(BYTES.charAt(random.nextInt(BYTES.length())));
        out.write(body, Math.min(body.length, at + 1), body.length - Math.min(body.length, at + 1));
      }
      default -> {
        if (random.nextBoolean()) {
          out.write(random.nextInt(256));
          out.write(body, at, body.length - at);
        }
      }
    }
    byte[] wounded = out.toByteArray();
    return wounded.length == 0 ? new byte[] {' '} : wounded;
  }

  /** Bytes that arrive a few at a time. */
  private static final class Pieces extends ByteArrayInputStream {

    private final Random random;

    Pieces(byte[] body, Random random) {
      super(body);
      this.random = random;
    }

    @Override
    public synchronized int read(byte[] buffer, int offset, int length) {
      return super.read(buffer, offset, Math.min(length, 1 + random.nextInt(200)));
    }
  }
}
