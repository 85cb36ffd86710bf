package dev.fallow.systemtests.campaign;

import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.Json;
import java.time.Instant;

/** A request for a change, as the API server saw it. */
record Write(AuditEntry entry, ObjectRef object) {
  static Write of(AuditEntry entry) {
    return new Write(entry, ObjectRef.of(entry.event()));
  }

  String user() {
    return entry.user();
  }

  Instant received() {
    return entry.at();
  }

  /** When the answer was ready: the change, if there was one, lies between the two. */
  Instant answered() {
    String stage = entry.event().at("stageTimestamp").text();
    return stage.isEmpty() ? entry.at() : Instant.parse(stage);
  }

  /** The body: for a patch, the patch. */
  Json request() {
    return entry.event().at("requestObject");
  }

  /** The object after the change. */
  Json response() {
    return entry.event().at("responseObject");
  }

  String subresource() {
    return entry.event().at("objectRef", "subresource").text();
  }

  /** Whether the object is different for it, or at least could be. */
  boolean applied() {
    return entry.code() / 100 == 2 && !entry.uri().contains("dryRun=") && revision() > 0;
  }

  /** The revision that the change made; revisions count over the whole cluster. */
  long revision() {
    Json revision = response().at("metadata", "resourceVersion");
    return isDelete() || revision.text().isEmpty() ? 0 : revision.number();
  }

  boolean isDelete() {
    return entry.verb().startsWith("delete");
  }

  String uid() {
    return response().at("metadata", "uid").text();
  }

  /** The revision that the writer believed to be the latest; empty when it did not care. */
  String guard() {
    String guard = request().at("metadata", "resourceVersion").text();
    return guard.equals("0") ? "" : guard;
  }
}
