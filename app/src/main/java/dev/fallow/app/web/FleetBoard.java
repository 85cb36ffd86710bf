package dev.fallow.app.web;

import dev.fallow.app.Inspection;
import dev.fallow.app.Version;
import dev.fallow.app.output.WorkloadRow;
import dev.fallow.app.report.PriceFile;
import dev.fallow.app.settings.Catalogue;
import dev.fallow.app.settings.NoticeSettings;
import dev.fallow.app.settings.Settings;
import dev.fallow.core.fleet.ClusterState;
import dev.fallow.core.fleet.GpuNode;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.fleet.OwnerObject;
import dev.fallow.core.idle.Durations;
import dev.fallow.core.idle.UseCurves;
import dev.fallow.core.ledger.HeldParts;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.core.prune.Decision;
import dev.fallow.core.prune.PausableKind;
import dev.fallow.core.savings.PriceBook;
import dev.fallow.server.fleet.FleetNumbers;
import dev.fallow.server.fleet.FleetPicture;
import dev.fallow.server.fleet.FleetSource;
import dev.fallow.server.fleet.PastSums;
import dev.fallow.server.fleet.WorkloadItem;
import dev.fallow.server.health.Health;
import dev.fallow.server.stream.FleetStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * What the last look found, kept for whoever asks in between. The samples themselves are not kept;
 * a curve of a byte a minute is.
 */
public final class FleetBoard implements FleetSource {

  private static final Duration STEP = Duration.ofMinutes(1);
  private static final int POINTS = 120;

  private final Settings settings;
  private final PriceBook prices;
  private final LedgerMoney money;
  private final Health health;
  private final Map<String, Object> banner;
  private final Map<String, Change> changes = new HashMap<>();
  private volatile Shown shown = Shown.NOTHING;
  private long number;

  /** What has just been changed, and what that does to what was last seen. */
  private record Change(Instant at, UnaryOperator<WorkloadItem> brings) {}

  private record Shown(
      FleetPicture picture,
      Map<String, Decision> decisions,
      Map<String, ObjectId> ids,
      Optional<FleetItems> items,
      Optional<ClusterState> cluster) {

    static final Shown NOTHING =
        new Shown(FleetPicture.NONE, Map.of(), Map.of(), Optional.empty(), Optional.empty());

    Shown with(Map<String, WorkloadItem> changed) {
      return new Shown(picture.with(changed), decisions, ids, items, cluster);
    }
  }

  /**
   * @param banner fields of the summary that never change
   */
  public FleetBoard(
      Settings settings, Optional<Ledger> ledger, Health health, Map<String, Object> banner) {
    this.settings = settings;
    this.prices = PriceFile.of(settings);
    this.money = new LedgerMoney(ledger, prices);
    this.health = health;
    this.banner = Map.copyOf(banner);
  }

  /** Takes a new look in, and tells whoever listens. */
  public synchronized void show(
      Inspection inspection,
      NextPause nextPause,
      FleetStream stream,
      List<Map<String, Object>> deeds) {
    UseCurves curves = UseCurves.of(inspection.usage(), inspection.at(), STEP, POINTS);
    FleetItems maker = new FleetItems(inspection.at(), curves, nextPause);
    List<WorkloadRow> rows = WorkloadRow.of(inspection.decisions(), prices);
    List<WorkloadItem> items = items(inspection, rows, maker);
    Map<String, Decision> decisions = new HashMap<>();
    inspection
        .decisions()
        .forEach(one -> decisions.put(one.assessment().workload().root().toString(), one));
    PastSums past = money.upTo(inspection.at());
    FleetPicture picture =
        new FleetPicture(
            ++number,
            inspection.at(),
            items,
            summary(inspection, items, past),
            past,
            NodeMap.of(inspection.cluster(), inspection.decisions(), curves));
    Map<String, ObjectId> ids = new HashMap<>();
    decisions.forEach((name, one) -> ids.put(name, one.assessment().workload().root()));
    inspection.cluster().marked().stream()
        .map(OwnerObject::workload)
        .forEach(id -> ids.putIfAbsent(id.toString(), id));
    // A look that began before a change may not have seen it.
    changes.values().removeIf(change -> change.at().isBefore(inspection.at()));
    Map<String, WorkloadItem> unseen = new HashMap<>();
    for (WorkloadItem item : items) {
      Change change = changes.get(item.workload());
      if (change != null) {
        unseen.put(item.workload(), change.brings().apply(item));
      }
    }
    shown =
        new Shown(picture, decisions, ids, Optional.of(maker), Optional.of(inspection.cluster()))
            .with(unseen);
    stream.publish(shown.picture(), deeds);
  }

  /** Shows what a change has brought a workload to, until a look has seen it. */
  synchronized void changed(WorkloadItem item, UnaryOperator<WorkloadItem> change, Instant at) {
    WorkloadItem now =
        change.apply(shown.picture().find(item.namespace(), item.kind(), item.name()).orElse(item));
    changes.put(item.workload(), new Change(at, change));
    shown = shown.with(Map.of(item.workload(), now));
  }

  /** The same with the next picture, which is of a look from before the change. */
  synchronized void willShow(ObjectId workload, UnaryOperator<WorkloadItem> change, Instant at) {
    changes.put(workload.toString(), new Change(at, change));
  }

  private static List<WorkloadItem> items(
      Inspection inspection, List<WorkloadRow> rows, FleetItems maker) {
    Map<String, WorkloadItem> paused = new LinkedHashMap<>();
    for (OwnerObject owner : inspection.cluster().marked()) {
      if (PausableKind.isOff(owner)) {
        WorkloadItem item = maker.paused(owner);
        paused.put(item.workload(), item);
      }
    }
    List<WorkloadItem> items = new ArrayList<>();
    for (WorkloadRow row : rows) {
      ObjectId root = row.decision().assessment().workload().root();
      if (!paused.containsKey(root.toString())) {
        items.add(maker.of(row));
      }
    }
    items.addAll(paused.values());
    return items;
  }

  private Map<String, Object> summary(
      Inspection inspection, List<WorkloadItem> items, PastSums past) {
    Map<String, Object> summary = new LinkedHashMap<>();
    summary.put("at", inspection.at());
    summary.put("version", Version.number());
    summary.put(
        "mode", settings.of(Catalogue.RUN_MODE).name().toLowerCase(Locale.ROOT).replace('_', '-'));
    summary.putAll(banner);
    FleetNumbers.of(items, free(inspection.cluster(), items)).addTo(summary);
    summary.put("currency", prices.currency());
    summary.putAll(past.of(any -> true));
    Map<String, Object> rule = new LinkedHashMap<>();
    rule.put("duration", Durations.format(settings.of(Catalogue.DURATION)));
    rule.put("gracePeriod", Durations.format(settings.of(Catalogue.GRACE_PERIOD)));
    rule.put("notice", Durations.format(settings.of(NoticeSettings.ACK_GRACE_PERIOD)));
    rule.put("checkInterval", Durations.format(settings.of(Catalogue.CHECK_INTERVAL)));
    summary.put("rule", rule);
    summary.put(
        "degraded",
        health.state().degraded().stream()
            .map(part ->
                Map.of("source", part.part(), "sentence", part.sentence(), "since", part.since()))
            .toList());
    return summary;
  }

  private static int free(ClusterState cluster, List<WorkloadItem> items) {
    int capacity =
        cluster.nodes().stream()
            .map(GpuNode::capacity)
            .flatMap(one -> one.values().stream())
            .mapToInt(Integer::intValue)
            .sum();
    int held =
        items.stream()
            .filter(item -> !item.state().equals("PAUSED"))
            .mapToInt(WorkloadItem::gpus)
            .sum();
    return Math.max(0, capacity - held);
  }

  @Override
  public FleetPicture picture() {
    return shown.picture();
  }

  @Override
  public Optional<Map<String, Object>> why(WorkloadItem item) {
    Shown now = shown;
    return now.items()
        .flatMap(
            maker -> Optional.ofNullable(now.decisions().get(item.workload())).map(maker::why));
  }

  /** The decision behind an item, for whoever acts on it. */
  Optional<Decision> decision(WorkloadItem item) {
    return Optional.ofNullable(shown.decisions().get(item.workload()));
  }

  /** How much of cards the workload of a decision holds. */
  long partsOf(Decision decision) {
    Shown now = shown;
    return HeldParts.of(
        decision,
        now.decisions().values(),
        now.cluster().map(ClusterState::sharingNodes).orElse(Set.of()));
  }

  /** The object that an item is about; without its UID where only a reference to it was seen. */
  Optional<ObjectId> id(String namespace, String kind, String name) {
    Shown now = shown;
    return now.picture()
        .find(namespace, kind, name)
        .flatMap(item -> Optional.ofNullable(now.ids().get(item.workload())));
  }

  /** The objects that the last look saw, once there was one. */
  Optional<ClusterState> cluster() {
    return shown.cluster();
  }

  /** Where people reach the page, if somebody has said so. */
  Optional<String> origin() {
    return Optional.of(settings.of(NoticeSettings.DASHBOARD_URL))
        .filter(url -> !url.isEmpty())
        .map(URI::create)
        .map(url -> url.getScheme() + "://" + url.getRawAuthority());
  }

  PriceBook prices() {
    return prices;
  }
}
