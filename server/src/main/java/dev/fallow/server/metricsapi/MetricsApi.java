package dev.fallow.server.metricsapi;

import dev.fallow.core.Unavailable;
import dev.fallow.core.autoscale.MetricBook;
import dev.fallow.core.autoscale.MetricBook.Answer;
import dev.fallow.core.autoscale.MetricBook.OfObject;
import dev.fallow.core.autoscale.MetricBook.OfSeries;
import dev.fallow.core.autoscale.MetricBook.Resource;
import dev.fallow.core.autoscale.MetricBook.Which;
import dev.fallow.core.autoscale.Selector;
import dev.fallow.core.autoscale.SelectorText;
import dev.fallow.core.autoscale.SelectorText.Parsed;
import dev.fallow.server.Gzip;
import dev.fallow.server.Handler;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * The metrics APIs: who asks, whether they may, and what was measured. A number that is not there
 * is a refusal and never a zero, so that an autoscaler which asked holds what it has.
 */
public final class MetricsApi implements Handler {

  private static final Set<String> OPEN = Set.of("healthz", "livez", "readyz");
  private static final String OBJECTS = "labelSelector";
  private static final String SAMPLES = "metricLabelSelector";

  private final MetricBook book;
  private final Set<MetricsGroup> groups;
  private final Gate gate;
  private final BooleanSupplier ready;
  private final Function<MetricsGroup, Optional<FormerOwner>> former;
  private final Supplier<Instant> clock;

  /**
   * @param groups those that numbers are given of
   * @param ready whether callers can be told apart yet
   * @param former whom to ask for names that are not ours alone
   */
  public MetricsApi(
      MetricBook book,
      Set<MetricsGroup> groups,
      Gate gate,
      BooleanSupplier ready,
      Function<MetricsGroup, Optional<FormerOwner>> former,
      Supplier<Instant> clock) {
    this.book = book;
    this.groups = Set.copyOf(groups);
    this.gate = gate;
    this.ready = ready;
    this.former = former;
    this.clock = clock;
  }

  @Override
  public Reply answer(Request request) {
    try {
      return Gzip.fitting(request, admitted(request));
    } catch (Rejected rejected) {
      return Status.badRequest(rejected.problem().detail());
    } catch (Unavailable outside) {
      return Status.unavailable(String.valueOf(outside.getMessage()));
    }
  }

  private Reply admitted(Request request) {
    if (request.path().size() == 1 && OPEN.contains(request.path().getFirst())) {
      boolean early = request.path().getFirst().equals("readyz") && !ready.getAsBoolean();
      return early ? Reply.text(503, "not ready\n") : Reply.text(200, "ok\n");
    }
    Instant now = clock.get();
    Optional<Subject> who = gate.who(request, now);
    if (who.isEmpty()) {
      return Status.unauthorized();
    }
    Optional<MetricPath> path =
        MetricPath.of(request.path())
            .filter(one -> one instanceof MetricPath.Discovery || groups.contains(one.group()));
    if (path.isEmpty()) {
      return Status.notFound("the server could not find the requested resource");
    }
    Access access = path.get().access();
    if (!gate.lets(who.get(), access)) {
      return Status.forbidden(who.get(), access);
    }
    boolean reads = request.method().equals("GET") || request.method().equals("HEAD");
    return reads ? told(path.get(), request, now) : Status.onlyReads();
  }

  private Reply told(MetricPath path, Request request, Instant now) {
    Selector labels = selector(request, OBJECTS);
    Selector samples = selector(request, SAMPLES);
    return switch (path) {
      case MetricPath.Discovery discovery -> json(names(discovery));
      case MetricPath.OfObjects one -> {
        Which which =
            one.ofAll()
                ? new Which.Labelled(one.namespace(), labels)
                : new Which.Named(one.namespace(), one.name());
        yield ofObjects(request, path, one.kind(), which, one.metric(), samples, now);
      }
      case MetricPath.OfNamespace one -> {
        Which which = new Which.Named("", one.namespace());
        yield ofObjects(request, path, Resource.NAMESPACES, which, one.metric(), samples, now);
      }
      case MetricPath.External one ->
          reply(
              request,
              path,
              one.metric(),
              () -> book.external(one.namespace(), one.metric(), labels, now),
              OfSeries::value,
              values -> ValueLists.ofSeries(one.version(), one.metric(), values));
    };
  }

  private Reply ofObjects(
      Request request,
      MetricPath path,
      Resource resource,
      Which which,
      String metric,
      Selector samples,
      Instant now) {
    return reply(
        request,
        path,
        metric,
        () -> book.ofObjects(resource, which, metric, samples, now),
        OfObject::value,
        values -> ValueLists.ofObjects(path.version(), metric, samples, values));
  }

  /**
   * Who had the API before us is asked first, unless the name can only be ours: a rule of theirs
   * may give the name of a family to what it computes from it. What they cannot be asked for
   * because nobody has let us is ours to answer; what they do not answer now is nobody's.
   */
  private <T> Reply reply(
      Request request,
      MetricPath path,
      String metric,
      Supplier<Answer<T>> answer,
      ToDoubleFunction<T> number,
      Function<List<T>, byte[]> document) {
    Optional<FormerOwner> other = former.apply(path.group()).filter(any -> !book.owns(metric));
    if (other.isEmpty()) {
      return own(path, metric, answer.get(), number, document);
    }
    Reply theirs;
    try {
      theirs = other.get().answer(request.path(), passedOn(request));
      if (theirs.status() != 404) {
        return theirs;
      }
    } catch (Unavailable refused) {
      if (refused.retryable()) {
        throw refused;
      }
      theirs = Status.unavailable(String.valueOf(refused.getMessage()));
    }
    Reply own = own(path, metric, answer.get(), number, document);
    return own.status() == 200 ? own : theirs;
  }

  private static <T> Reply own(
      MetricPath path,
      String metric,
      Answer<T> answer,
      ToDoubleFunction<T> number,
      Function<List<T>, byte[]> document) {
    return switch (answer) {
      case Answer.Found<T> found -> {
        List<T> sound =
            found.values().stream()
                .filter(value -> Quantity.of(number.applyAsDouble(value)).isPresent())
                .toList();
        // External values are added up by whoever asked: without one the sum would be too low.
        boolean tellable =
            path instanceof MetricPath.External
                ? sound.size() == found.values().size()
                : !sound.isEmpty();
        yield tellable
            ? json(document.apply(sound))
            : Status.notFound(metric + " has no value that can be told");
      }
      case Answer.NotFound<T> missing -> Status.notFound(missing.why());
      case Answer.Away<T> away -> Status.unavailable(away.why());
    };
  }

  private static Map<String, String> passedOn(Request request) {
    Map<String, String> query = new LinkedHashMap<>();
    for (String name : List.of(OBJECTS, SAMPLES)) {
      request.query(name).ifPresent(text -> query.put(name, text));
    }
    return query;
  }

  /**
   * Of an API that is not answered there are none. It says so instead of nothing: one that was left
   * out with its registration still here would stop every namespace from being deleted, since the
   * API server looks through all that is registered for what is in it.
   */
  private byte[] names(MetricPath.Discovery discovery) {
    boolean answered = groups.contains(discovery.group());
    return switch (discovery.group()) {
      case CUSTOM ->
          ValueLists.customNames(discovery.version(), answered ? book.listed() : List.of());
      case EXTERNAL ->
          ValueLists.externalNames(
              discovery.version(), answered ? new TreeSet<>(book.externals()) : Set.of());
    };
  }

  private static Selector selector(Request request, String parameter) {
    return switch (SelectorText.parse(request.query(parameter).orElse(""))) {
      case Parsed.Read read -> read.selector();
      case Parsed.Unreadable unreadable -> throw Rejected.parameter(parameter, unreadable.why());
    };
  }

  private static Reply json(byte[] document) {
    return Reply.of(200, "application/json", document);
  }
}
