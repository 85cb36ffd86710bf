package dev.fallow.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What has become of one workload after all that was done to it. */
final class Aftermath {

  private final List<Life.Pause> pauses = new ArrayList<>();
  private final Map<String, String> annotations;

  private Aftermath(SimWorkload workload) {
    this.annotations = new HashMap<>(workload.annotations());
  }

  static SimWorkload of(SimWorkload workload, List<Deed> deeds) {
    Aftermath aftermath = new Aftermath(workload);
    deeds.forEach(aftermath::apply);
    return workload.changed(
        aftermath.pauses.isEmpty()
            ? workload.life()
            : new Life.Interrupted(workload.life(), aftermath.pauses),
        aftermath.annotations);
  }

  /** To pause what is paused, or wake what is awake, does nothing. */
  private void apply(Deed deed) {
    boolean paused = !pauses.isEmpty() && pauses.getLast().until() == PodLife.NOT_YET;
    switch (deed) {
      case Deed.Pause pause when !paused ->
          pauses.add(new Life.Pause(pause.at().toEpochMilli(), PodLife.NOT_YET));
      case Deed.Resume resume when paused ->
          pauses.set(
              pauses.size() - 1,
              new Life.Pause(pauses.getLast().from(), resume.at().toEpochMilli()));
      case Deed.Annotate annotate -> {
        annotations.putAll(annotate.set());
        annotations.keySet().removeAll(annotate.removed());
      }
      case Deed.Pause again -> {}
      case Deed.Resume again -> {}
    }
  }
}
