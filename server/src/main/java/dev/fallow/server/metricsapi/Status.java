package dev.fallow.server.metricsapi;

import dev.fallow.server.JsonText;
import dev.fallow.server.Reply;
import java.util.LinkedHashMap;
import java.util.Map;

/** Why there is no answer, in the form in which Kubernetes' clients read it. */
final class Status {

  private Status() {}

  static Reply badRequest(String message) {
    return of(400, "BadRequest", message);
  }

  static Reply unauthorized() {
    return of(401, "Unauthorized", "Unauthorized");
  }

  static Reply forbidden(Subject who, Access what) {
    return of(403, "Forbidden", "User \"" + who.name() + "\" may not " + what);
  }

  static Reply notFound(String message) {
    return of(404, "NotFound", message);
  }

  static Reply onlyReads() {
    return of(405, "MethodNotAllowed", "these APIs are only read").with("Allow", "GET, HEAD");
  }

  static Reply unavailable(String message) {
    return of(503, "ServiceUnavailable", message);
  }

  static Reply of(int code, String reason, String message) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", "Status");
    fields.put("apiVersion", "v1");
    fields.put("metadata", Map.of());
    fields.put("status", "Failure");
    fields.put("message", message);
    fields.put("reason", reason);
    fields.put("code", code);
    return Reply.of(code, "application/json", JsonText.of(fields));
  }
}
