package dev.fallow.app.output;

import dev.fallow.core.prune.Decision;
import java.util.LinkedHashMap;
import java.util.Map;

/** A decision as programs see it: the same field names in files, on the command line, over HTTP. */
public final class DecisionFields {

  private DecisionFields() {}

  public static Map<String, Object> of(Decision decision) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("workload", decision.assessment().workload().root().toString());
    fields.put("verdict", decision.assessment().verdict().name());
    fields.put("reason", decision.reason());
    fields.put("sentence", decision.sentence());
    fields.put("action", decision.action().name());
    fields.put("gpus", decision.assessment().workload().gpus());
    decision.assessment().idleSince().ifPresent(since -> fields.put("idleSince", since));
    return fields;
  }
}
