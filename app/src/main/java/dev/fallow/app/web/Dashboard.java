package dev.fallow.app.web;

import dev.fallow.adapters.notify.SlackUsers;
import dev.fallow.app.Inspection;
import dev.fallow.app.notice.SlackPresses;
import dev.fallow.app.prune.Deed;
import dev.fallow.app.prune.LedgerHistory;
import dev.fallow.app.report.LedgerReports;
import dev.fallow.core.ledger.Ledger;
import dev.fallow.server.Route;
import dev.fallow.server.access.Door;
import dev.fallow.server.access.Guard;
import dev.fallow.server.access.MeRoutes;
import dev.fallow.server.access.Rights;
import dev.fallow.server.autoscale.AutoscalerRoutes;
import dev.fallow.server.autoscale.AutoscalerSource;
import dev.fallow.server.fleet.FleetRoutes;
import dev.fallow.server.fleet.Hands;
import dev.fallow.server.history.HistoryRoutes;
import dev.fallow.server.openapi.OpenApiRoutes;
import dev.fallow.server.page.PageRoutes;
import dev.fallow.server.report.ReportRoutes;
import dev.fallow.server.savings.SavingsRoutes;
import dev.fallow.server.stream.FleetStream;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** The page and its API, over what the last look found. */
public final class Dashboard {

  private final FleetBoard board;
  private final Hands hands;
  private final FleetStream stream;
  private final List<Route> routes = new ArrayList<>();

  public Dashboard(
      FleetBoard board,
      Hands hands,
      Door door,
      Optional<Ledger> ledger,
      AutoscalerSource autoscalers) {
    this.board = board;
    this.hands = hands;
    this.stream = new FleetStream(door);
    routes.addAll(FleetRoutes.of(board, hands, new Guard(door, board.origin())));
    routes.addAll(AutoscalerRoutes.of(autoscalers, board, door));
    routes.addAll(stream.routes());
    routes.addAll(HistoryRoutes.of(new LedgerHistory(ledger), door));
    routes.addAll(SavingsRoutes.of(new LedgerSavings(ledger, board.prices()), door));
    routes.addAll(ReportRoutes.of(new LedgerReports(ledger, board.prices()), door));
    routes.addAll(MeRoutes.of(door));
    routes.addAll(door.routes());
    routes.addAll(OpenApiRoutes.of());
    routes.addAll(PageRoutes.of());
  }

  /**
   * Buttons in Slack, on the same path as the page's.
   *
   * @param rights the cluster's own, however the page lets people in
   */
  public SlackPresses slack(
      Function<String, SlackUsers.Found> emails,
      String prefix,
      Rights rights,
      BiConsumer<URI, String> answer) {
    return new SlackPresses(emails, prefix, board, hands, rights, InstantSource.system(), answer);
  }

  public FleetBoard board() {
    return board;
  }

  /** To be tried after all others: the page answers to any name at the top. */
  public List<Route> routes() {
    return List.copyOf(routes);
  }

  /** Takes a new look in, and what was done since the one before. */
  public void show(Inspection inspection, NextPause nextPause, List<Deed> deeds) {
    List<Deed> done = deeds.stream().filter(Deed::done).toList();
    done.stream()
        .filter(deed -> deed.verb() == Deed.Verb.PAUSE && !deed.at().isBefore(inspection.at()))
        .forEach(deed ->
            board.willShow(
                deed.workload(),
                item -> item.paused(deed.at(), deed.by(), deed.sentence()),
                deed.at()));
    board.show(inspection, nextPause, stream, done.stream().map(Dashboard::row).toList());
  }

  private static Map<String, Object> row(Deed deed) {
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("at", deed.at());
    row.put("verb", deed.verb().name());
    row.put("outcome", "DONE");
    row.put("workload", deed.workload().toString());
    row.put("namespace", deed.workload().namespace());
    row.put("gpus", deed.gpus());
    row.put("dollarsPerHour", deed.dollarsPerHour());
    row.put("sentence", deed.sentence());
    row.put("by", deed.by());
    row.put("actionId", deed.actionId());
    return row;
  }
}
