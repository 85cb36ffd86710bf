package dev.fallow.server.autoscale;

import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import dev.fallow.server.access.Door;
import dev.fallow.server.fleet.Conditional;
import dev.fallow.server.fleet.FleetSource;
import dev.fallow.server.fleet.NamedWorkload;
import java.util.List;
import java.util.Map;

/** What a workload's autoscalers will do, over HTTP. */
public final class AutoscalerRoutes {

  private final AutoscalerSource source;
  private final NamedWorkload workloads;

  private AutoscalerRoutes(AutoscalerSource source, NamedWorkload workloads) {
    this.source = source;
    this.workloads = workloads;
  }

  public static List<Route> of(AutoscalerSource source, FleetSource fleet, Door door) {
    AutoscalerRoutes routes = new AutoscalerRoutes(source, new NamedWorkload(fleet, door));
    return List.of(Route.get(NamedWorkload.PATH + "/autoscalers", routes::answer));
  }

  private Reply answer(Request request) {
    List<Map<String, Object>> items = source.of(workloads.seen(request));
    return Conditional.reply(request, Reply.json(200, Map.of("items", items)));
  }
}
