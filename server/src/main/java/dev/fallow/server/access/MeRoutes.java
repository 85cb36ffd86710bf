package dev.fallow.server.access;

import dev.fallow.server.Reply;
import dev.fallow.server.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells callers who they are here. */
public final class MeRoutes {

  private MeRoutes() {}

  public static List<Route> of(Door door) {
    return List.of(
        Route.get(
            "/api/v1/me",
            request -> {
              Caller caller = door.caller(request);
              Map<String, Object> me = new LinkedHashMap<>();
              me.put("name", caller.name());
              me.put("by", caller.by());
              me.put("verified", caller.verified());
              me.put("mayChange", !caller.isNobody());
              me.put("signIn", door.signIn());
              door.issuer().ifPresent(host -> me.put("issuer", host));
              if (caller.isNobody()) {
                me.put("cure", door.cure());
              }
              return Reply.json(200, me);
            }));
  }
}
