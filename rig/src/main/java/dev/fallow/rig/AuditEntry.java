package dev.fallow.rig;

import java.time.Instant;

/**
 * One request as the API server saw it.
 *
 * @param verb the Kubernetes verb: get, list, watch, create, update, patch, delete ...
 * @param uri path and query as sent
 * @param code the answer's HTTP status
 * @param at when it was received
 * @param event the whole audit event, with the bodies if the {@link AuditLevel} includes them
 */
public record AuditEntry(
    String verb, String uri, String user, String userAgent, int code, Instant at, Json event) {
  static AuditEntry of(Json event) {
    return new AuditEntry(
        event.at("verb").text(),
        event.at("requestURI").text(),
        event.at("user", "username").text(),
        event.at("userAgent").text(),
        (int) event.at("responseStatus", "code").number(),
        Instant.parse(event.at("requestReceivedTimestamp").text()),
        event);
  }

  /** Whether the request asked for a change. */
  public boolean isWrite() {
    return switch (verb) {
      case "create", "update", "patch", "delete", "deletecollection" -> true;
      default -> false;
    };
  }
}
