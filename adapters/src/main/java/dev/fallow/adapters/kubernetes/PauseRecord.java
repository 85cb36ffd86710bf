package dev.fallow.adapters.kubernetes;

import dev.fallow.core.fleet.Annotations;
import dev.fallow.core.fleet.ObjectTree;
import dev.fallow.core.prune.Intent;
import dev.fallow.core.prune.PauseNote;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The annotations that announce a pause, tell of it and undo it; null takes one away. */
final class PauseRecord {

  private PauseRecord() {}

  static Map<String, Object> announced(Intent intent) {
    return Map.of(
        Annotations.INTENT,
        Json.write(
            Map.of("id", intent.id(), "epoch", intent.epoch(), "at", intent.at().toString())));
  }

  /** All that a resume needs, and what people and reports are told. */
  static Map<String, Object> of(PausePlace place, Intent intent, PauseNote note, Instant at) {
    Map<String, Object> before = new HashMap<>(place.by().before(place.target()));
    before.putAll(place.besides());
    Map<String, Object> record = new HashMap<>();
    record.put(Annotations.PAUSED_AT, at.toString());
    record.put(Annotations.PAUSED_BY, note.by());
    record.put(Annotations.FREED, note.freed());
    record.put(Annotations.ACTION_ID, intent.id());
    record.put(Annotations.BEFORE_PAUSE, Json.write(before));
    record.put(
        Annotations.PAUSE_REASON,
        note.reason()
            + " To resume: "
            + ResumeCommand.of(place, place.by().turnOn(new ObjectTree(before))));
    if (!place.recordIsBeside()) {
      record.put(Annotations.INTENT, null);
    }
    return record;
  }

  /** Takes everything away. */
  static Map<String, Object> none() {
    return cleared(Annotations.MARKS);
  }

  /** Takes away what tells of a pause; how earlier ones ended stays. */
  static Map<String, Object> notMade() {
    Map<String, Object> cleared = none();
    cleared.keySet().removeAll(List.of(Annotations.UNDONE, Annotations.NOTICE));
    return cleared;
  }

  static Map<String, Object> noIntent() {
    return cleared(List.of(Annotations.INTENT));
  }

  /** A change of an object, and of these annotations of it. */
  static Map<String, Object> on(Map<String, Object> change, Map<String, Object> record) {
    return Json.merged(change, Map.of("metadata", Map.of("annotations", record)));
  }

  /** Whether the object tells of the pause that was announced so. */
  static boolean isOf(Intent intent, ObjectTree object) {
    return intent.id().equals(annotations(object).get(Annotations.ACTION_ID));
  }

  static boolean isIntent(Intent intent, ObjectTree object) {
    return isIntent(intent, annotations(object));
  }

  static boolean isIntent(Intent intent, Map<String, String> annotations) {
    return Json.read(annotations.getOrDefault(Annotations.INTENT, ""))
        .filter(found -> intent.id().equals(found.textOr("", "id")))
        .isPresent();
  }

  static boolean has(String key, ObjectTree object) {
    return annotations(object).containsKey(key);
  }

  private static Map<String, String> annotations(ObjectTree object) {
    return object.texts("metadata", "annotations");
  }

  private static Map<String, Object> cleared(List<String> keys) {
    Map<String, Object> cleared = new HashMap<>();
    keys.forEach(key -> cleared.put(key, null));
    return cleared;
  }
}
