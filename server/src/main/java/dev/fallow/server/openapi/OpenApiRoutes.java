package dev.fallow.server.openapi;

import dev.fallow.server.Reply;
import dev.fallow.server.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;

/** The API's description for programs. */
public final class OpenApiRoutes {

  private OpenApiRoutes() {}

  public static List<Route> of() {
    return List.of(Route.get("/api/v1/openapi.json", request -> description()));
  }

  private static Reply description() {
    try (InputStream in = OpenApiRoutes.class.getResourceAsStream("openapi.json")) {
      if (in == null) {
        throw new IllegalStateException("openapi.json is not in this build");
      }
      return Reply.of(200, "application/json", in.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
