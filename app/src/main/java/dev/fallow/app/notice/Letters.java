package dev.fallow.app.notice;

import dev.fallow.app.output.WorkloadRow;
import dev.fallow.app.prune.Deed;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.Durations;
import dev.fallow.core.notice.Button;
import dev.fallow.core.notice.Fact;
import dev.fallow.core.notice.Link;
import dev.fallow.core.notice.Message;
import dev.fallow.core.notice.Notice;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.report.Money;
import dev.fallow.core.savings.PriceBook;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Writes what owners are told.
 *
 * @param cluster its name, for who has several
 * @param dashboard where the page is reached; empty if nowhere
 * @param rehearsal whether nothing is going to be paused in truth
 * @param prices what GPUs cost
 */
record Letters(String cluster, String dashboard, boolean rehearsal, PriceBook prices) {

  private static final List<Button> KEEPS =
      List.of(
          new Button(Button.Action.KEEP_4H, "Keep 4 h"),
          new Button(Button.Action.KEEP_8H, "Keep 8 h"),
          new Button(Button.Action.KEEP_24H, "Keep 24 h"),
          new Button(Button.Action.WHY, "Why?"));

  Message idle(Decision decision, Notice notice, Instant pausesAt, Instant at) {
    return about(
        decision,
        notice.id(),
        Message.Kind.IDLE,
        name(decision) + " is idle and will be paused",
        pausesAt,
        at);
  }

  Message reminder(Decision decision, Notice notice, Instant pausesAt, Instant at) {
    return about(
        decision,
        notice.id() + "-again",
        Message.Kind.REMINDER,
        name(decision) + " is still idle",
        pausesAt,
        at);
  }

  private Message about(
      Decision decision,
      String id,
      Message.Kind kind,
      String headline,
      Instant pausesAt,
      Instant at) {
    ObjectId root = decision.assessment().workload().root();
    return new Message(
        id,
        kind,
        root.toString(),
        root.namespace(),
        headline,
        decision.assessment().verdict().sentence(),
        facts(decision, at),
        Optional.of(pausesAt),
        KEEPS,
        link(root),
        rehearsal);
  }

  private List<Fact> facts(Decision decision, Instant at) {
    WorkloadRow row = WorkloadRow.of(List.of(decision), prices).getFirst();
    List<Fact> facts = new ArrayList<>();
    facts.add(
        new Fact(
            "GPUs",
            decision.assessment().workload().gpus()
                + " × "
                + String.join(", ", decision.assessment().models())));
    decision
        .assessment()
        .idleSince()
        .ifPresent(since ->
            facts.add(new Fact("idle for", Durations.format(Duration.between(since, at)))));
    if (row.cost().perHour() > 0) {
      facts.add(new Fact("cost", Money.text(row.cost().perHour(), prices.currency()) + " an hour"));
    }
    if (!cluster.isEmpty()) {
      facts.add(new Fact("cluster", cluster));
    }
    return facts;
  }

  /** It is in use again, and nothing happens to it. */
  Message cancelled(ObjectId workload, Notice notice) {
    return brief(
        notice.id() + "-over",
        Message.Kind.CANCELLED,
        workload,
        workload.name() + " is in use again",
        "it is not paused",
        List.of());
  }

  Optional<Message> of(Deed deed) {
    return switch (deed.verb()) {
      case PAUSE ->
          Optional.of(
              brief(
                  deed.actionId() + "-paused",
                  Message.Kind.PAUSED,
                  deed.workload(),
                  deed.workload().name() + " was paused",
                  deed.sentence(),
                  List.of(new Button(Button.Action.RESUME, "Resume"))));
      case RESUME ->
          Optional.of(
              brief(
                  deed.actionId() + "-resumed",
                  Message.Kind.RESUMED,
                  deed.workload(),
                  deed.workload().name() + " was resumed",
                  deed.sentence(),
                  List.of()));
      case ANNOUNCE, UNDONE, KEEP, END_KEEP -> Optional.empty();
    };
  }

  private Message brief(
      String id,
      Message.Kind kind,
      ObjectId workload,
      String headline,
      String sentence,
      List<Button> buttons) {
    return new Message(
        id,
        kind,
        workload.toString(),
        workload.namespace(),
        headline,
        sentence,
        cluster.isEmpty() ? List.of() : List.of(new Fact("cluster", cluster)),
        Optional.empty(),
        buttons,
        link(workload),
        rehearsal);
  }

  private Optional<Link> link(ObjectId id) {
    if (dashboard.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Link(
            dashboard.replaceAll("/+$", "")
                + "/workloads/"
                + encoded(id.namespace())
                + "/"
                + encoded(id.qualifiedKind())
                + "/"
                + encoded(id.name())));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A");
  }

  private static String name(Decision decision) {
    return decision.assessment().workload().root().name();
  }
}
