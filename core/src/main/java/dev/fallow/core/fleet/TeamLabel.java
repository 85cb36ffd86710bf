package dev.fallow.core.fleet;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The label, or else the annotation, by which a cluster names the team that an object belongs to.
 * Its value is carried on as {@link Annotations#TEAM}, under which anybody may also write it.
 *
 * @param key empty if there is none
 */
public record TeamLabel(String key) {

  public static final TeamLabel NONE = new TeamLabel("");

  /**
   * The object with its team among its annotations. What something else controls is left as it is:
   * whose a workload is, its root says.
   */
  public ObjectTree written(ObjectTree object) {
    if (key.isEmpty() || !OwnerRef.controllersOf(object).isEmpty()) {
      return object;
    }
    Map<String, String> annotations = object.texts("metadata", "annotations");
    Optional<String> team =
        Optional.ofNullable(object.texts("metadata", "labels").get(key))
            .or(() -> Optional.ofNullable(annotations.get(key)))
            .filter(name -> !name.isBlank());
    if (team.isEmpty() || annotations.containsKey(Annotations.TEAM)) {
      return object;
    }
    Map<String, Object> more = new HashMap<>(annotations);
    more.put(Annotations.TEAM, team.get());
    Map<String, Object> metadata = new HashMap<>(object.tree("metadata").fields());
    metadata.put("annotations", more);
    Map<String, Object> fields = new HashMap<>(object.fields());
    fields.put("metadata", metadata);
    return new ObjectTree(fields);
  }
}
