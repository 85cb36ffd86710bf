package dev.fallow.systemtests.campaign;

import dev.fallow.rig.AuditEntry;
import dev.fallow.rig.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes audit logs by hand: enough of an API server's arithmetic to make up a run in a test. */
final class AuditScript {
  static final Instant BEGIN = Instant.parse("2026-01-05T08:00:00Z");
  private static final Json NOTHING = Json.parse("null");

  private final List<AuditEntry> entries = new ArrayList<>();
  private final Map<ObjectRef, Json> objects = new LinkedHashMap<>();
  private Instant now = BEGIN;
  private long revision = 100;
  private int requests;
  private boolean unseen;

  List<AuditEntry> entries() {
    return List.copyOf(entries);
  }

  static Instant time(long second) {
    return BEGIN.plusSeconds(second);
  }

  AuditScript at(long second) {
    now = time(second);
    return this;
  }

  /** What follows happens and is not written down, as when the API server is killed in time. */
  AuditScript unseen(boolean from) {
    unseen = from;
    return this;
  }

  Json object(ObjectRef object) {
    return objects.getOrDefault(object, NOTHING);
  }

  String revision(ObjectRef object) {
    return object(object).at("metadata", "resourceVersion").text();
  }

  void create(String user, ObjectRef ref, String json) {
    Json made =
        Json.parse(json)
            .with(Json.text(ref.name()), "metadata", "name")
            .with(Json.text("uid-" + (revision + 1)), "metadata", "uid");
    log(user, "create", ref, "", Json.parse(json), 201, store(ref, made));
  }

  int patch(String user, ObjectRef ref, String json) {
    Json patch = Json.parse(json);
    Json old = object(ref);
    String guard = patch.at("metadata", "resourceVersion").text();
    if (!guard.isEmpty() && !guard.equals("0") && !guard.equals(revision(ref))) {
      log(user, "patch", ref, "", patch, 409, Json.parse("{\"kind\":\"Status\"}"));
      return 409;
    }
    Json merged =
        Json.parse(merge(old, patch))
            .with(old.at("metadata", "resourceVersion"), "metadata", "resourceVersion");
    boolean same = merged.toString().equals(old.toString());
    log(user, "patch", ref, "", patch, 200, same ? old : store(ref, merged));
    return 200;
  }

  /** A patch that is made although the answer says that it took too long. */
  void patchInDoubt(String user, ObjectRef ref, String json) {
    Json patch = Json.parse(json);
    store(ref, Json.parse(merge(object(ref), patch)));
    log(user, "patch", ref, "", patch, 504, Json.parse("{\"kind\":\"Status\"}"));
  }

  void scale(String user, ObjectRef ref, int replicas) {
    Json after = store(ref, object(ref).with(Json.parse("" + replicas), "spec", "replicas"));
    Json scale =
        Json.parse("{\"kind\":\"Scale\",\"spec\":{\"replicas\":%d}}".formatted(replicas))
            .with(after.at("metadata", "resourceVersion"), "metadata", "resourceVersion")
            .with(after.at("metadata", "uid"), "metadata", "uid");
    log(user, "patch", ref, "scale", scale.at("spec"), 200, scale);
  }

  void delete(String user, ObjectRef ref) {
    objects.remove(ref);
    revision++;
    log(user, "delete", ref, "", NOTHING, 200, Json.parse("{\"kind\":\"Status\"}"));
  }

  private Json store(ObjectRef ref, Json object) {
    Json stored = object.with(Json.text(Long.toString(++revision)), "metadata", "resourceVersion");
    objects.put(ref, stored);
    return stored;
  }

  private void log(
      String user,
      String verb,
      ObjectRef ref,
      String subresource,
      Json body,
      int code,
      Json answer) {
    Json event =
        Json.parse(
                """
                {"auditID":"%d","verb":"%s","user":{"username":"%s"},"requestURI":"/%s",
                 "requestReceivedTimestamp":"%s","stageTimestamp":"%s",
                 "responseStatus":{"code":%d},
                 "objectRef":{"apiGroup":"%s","resource":"%s","namespace":"%s","name":"%s",
                   "subresource":"%s"}}\
                """
                    .formatted(
                        requests++,
                        verb,
                        user,
                        ref,
                        now,
                        now.plusMillis(20),
                        code,
                        ref.group(),
                        ref.resource(),
                        ref.namespace(),
                        ref.name(),
                        subresource))
            .with(body, "requestObject")
            .with(answer, "responseObject");
    if (!unseen) {
      entries.add(new AuditEntry(verb, "/" + ref, user, "test", code, now, event));
    }
  }

  /** A JSON merge patch. */
  private static String merge(Json old, Json patch) {
    if (patch.keys().isEmpty() && !patch.toString().equals("{}")) {
      return patch.toString();
    }
    Set<String> keys = new LinkedHashSet<>(old.keys());
    keys.addAll(patch.keys());
    List<String> fields = new ArrayList<>();
    for (String key : keys) {
      boolean touched = patch.keys().contains(key);
      if (!touched || !patch.at(key).isMissing()) {
        String value = touched ? merge(old.at(key), patch.at(key)) : old.at(key).toString();
        fields.add(Json.quote(key) + ":" + value);
      }
    }
    return "{" + String.join(",", fields) + "}";
  }
}
