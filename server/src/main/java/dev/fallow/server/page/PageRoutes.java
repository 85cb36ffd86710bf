package dev.fallow.server.page;

import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The dashboard: one page, and the files it is made of. It asks nobody but this server. */
public final class PageRoutes {

  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
          + " connect-src 'self'; font-src 'self'; manifest-src 'self'; frame-ancestors 'none';"
          + " base-uri 'none'; form-action 'self'";

  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "ico", "image/x-icon",
          "json", "application/json",
          "webmanifest", "application/manifest+json");

  private PageRoutes() {}

  public static List<Route> of() {
    return List.of(
        Route.get("/", PageRoutes::page),
        Route.get("/workloads/{namespace}/{kind}/{name}", PageRoutes::page),
        Route.get("/nodes", PageRoutes::page),
        Route.get("/history", PageRoutes::page),
        Route.get("/savings", PageRoutes::page),
        Route.get("/assets/{file}", PageRoutes::asset),
        Route.get("/{file}", PageRoutes::file));
  }

  private static Reply page(Request request) {
    byte[] page =
        resource("index.html")
            .orElseThrow(() ->
                new Rejected(
                    new Problem(
                        404,
                        "NOT_FOUND",
                        "this build has no page; make build makes one. The API is at"
                            + " /api/v1/workloads")));
    return Reply.of(200, type("index.html"), page)
        .with("Content-Security-Policy", POLICY)
        .with("Cache-Control", "no-cache");
  }

  /** Their names hold a digest of what is in them. */
  private static Reply asset(Request request) {
    return found("assets/", request.parameter("file"))
        .with("Cache-Control", "public, max-age=31536000, immutable");
  }

  private static Reply file(Request request) {
    return found("", request.parameter("file")).with("Cache-Control", "public, max-age=3600");
  }

  private static Reply found(String folder, String name) {
    if (!name.matches("[A-Za-z0-9_-][A-Za-z0-9._-]{0,100}") || name.equals("index.html")) {
      throw new Rejected(new Problem(404, "NOT_FOUND", "there is nothing at this path"));
    }
    byte[] body =
        resource(folder + name)
            .orElseThrow(
                () -> new Rejected(new Problem(404, "NOT_FOUND", "there is nothing at this path")));
    return Reply.of(200, type(name), body).with("Content-Security-Policy", POLICY);
  }

  private static String type(String name) {
    String ending = name.substring(name.lastIndexOf('.') + 1);
    return TYPES.getOrDefault(ending, "application/octet-stream");
  }

  private static Optional<byte[]> resource(String path) {
    try (InputStream in = PageRoutes.class.getResourceAsStream(path)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
