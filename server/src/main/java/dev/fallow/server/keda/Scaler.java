package dev.fallow.server.keda;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.MetricBook;
import dev.fallow.core.autoscale.MetricBook.Answer;
import dev.fallow.core.autoscale.MetricBook.OfObject;
import dev.fallow.core.autoscale.MetricBook.OfSeries;
import dev.fallow.core.autoscale.MetricBook.Resource;
import dev.fallow.core.autoscale.MetricBook.Which;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Answers KEDA from the book of numbers. What was not measured is refused, never 0 and never
 * inactive: KEDA then leaves replicas as they are, while it would scale to zero what it is told is
 * not active.
 */
public final class Scaler {

  /** KEDA keeps thousandths in 64 bits. */
  private static final double MOST = Long.MAX_VALUE / 1000.0;

  private final MetricBook book;
  private final Supplier<Instant> clock;

  public Scaler(MetricBook book, Supplier<Instant> clock) {
    this.book = book;
    this.clock = clock;
  }

  /**
   * @throws Refused where the trigger is wrong, or there is no number
   */
  ScaleReply.Active active(ScaledObject asked) {
    ScaleQuestion question = ScaleQuestion.of(asked);
    return new ScaleReply.Active(value(question) > question.activation());
  }

  /**
   * Needs no number, so that an autoscaler can be made before there is one.
   *
   * @throws Refused where the trigger is wrong
   */
  ScaleReply.Target target(ScaledObject asked) {
    ScaleQuestion question = ScaleQuestion.of(asked);
    return new ScaleReply.Target(question.spelled(), question.target());
  }

  /**
   * @throws Refused where the trigger is wrong, or there is no number
   */
  ScaleReply.Value value(MetricsRequest request) {
    ScaleQuestion question = ScaleQuestion.of(request.of());
    String metric = request.metric();
    if (!metric.equals(question.spelled()) && !metric.equals(question.metric())) {
      throw new Refused(
          Refused.Reason.INVALID,
          "the metric that is asked for is not the one in the trigger's metadata, which is "
              + question.metric());
    }
    return new ScaleReply.Value(metric, value(question));
  }

  private double value(ScaleQuestion question) {
    Instant now = clock.get();
    double value;
    try {
      value =
          switch (question.of()) {
            case ScaleQuestion.Of.Named of ->
                object(
                    question, of.resource(), new Which.Named(question.namespace(), of.name()), now);
            case ScaleQuestion.Of.TheNamespace of ->
                object(
                    question, Resource.NAMESPACES, new Which.Named("", question.namespace()), now);
            case ScaleQuestion.Of.Externals of ->
                sum(
                    book.external(
                        question.namespace(), question.metric(), question.selector(), now),
                    OfSeries::value);
          };
    } catch (Unavailable away) {
      throw new Refused(Refused.Reason.AWAY, String.valueOf(away.getMessage()));
    }
    if (!(Math.abs(value) < MOST)) {
      throw new Refused(
          Refused.Reason.NOT_MEASURED, question.metric() + " has no value that can be told");
    }
    return value;
  }

  private double object(ScaleQuestion question, Resource resource, Which which, Instant now) {
    return sum(
        book.ofObjects(resource, which, question.metric(), question.selector(), now),
        OfObject::value);
  }

  private static <T> double sum(Answer<T> answer, ToDoubleFunction<T> number) {
    return switch (answer) {
      case Answer.Found<T>(List<T> values) ->
          values.stream()
              .mapToDouble(number)
              .reduce(Double::sum)
              .orElseThrow(() -> new Refused(Refused.Reason.NOT_MEASURED, "nothing was measured"));
      case Answer.NotFound<T> missing ->
          throw new Refused(Refused.Reason.NOT_MEASURED, missing.why());
      case Answer.Away<T> away -> throw new Refused(Refused.Reason.AWAY, away.why());
    };
  }
}
