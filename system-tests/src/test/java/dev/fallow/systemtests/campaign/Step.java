package dev.fallow.systemtests.campaign;

import dev.fallow.rig.Json;

/**
 * A change of one object: what it was, who wrote, what it became.
 *
 * @param before missing when the object was created by this, or when the log does not tell
 */
record Step(Write write, Json before, Json after) {
  ObjectRef object() {
    return write.object();
  }

  boolean by(String user) {
    return write.user().equals(user);
  }

  boolean isCreation() {
    return write.entry().verb().equals("create") && write.subresource().isEmpty();
  }

  /** Whether the log tells what the object was. */
  boolean isBeforeKnown() {
    return !before.isMissing();
  }

  /** Whether nothing is different but what the API server counts itself. */
  boolean isEmpty() {
    return isBeforeKnown()
        && before
            .at("metadata", "resourceVersion")
            .text()
            .equals(after.at("metadata", "resourceVersion").text());
  }
}
