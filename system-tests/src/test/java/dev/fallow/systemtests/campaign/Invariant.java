package dev.fallow.systemtests.campaign;

import dev.fallow.rig.AuditEntry;
import java.util.List;
import java.util.stream.Stream;

/** A promise that every run has to keep. */
interface Invariant {
  /** The short name, such as I1. */
  String name();

  List<Violation> violations(Story story);

  default Violation violation(Object subject, String sentence, Step... steps) {
    List<AuditEntry> entries = Stream.of(steps).map(step -> step.write().entry()).toList();
    return new Violation(name(), subject.toString(), sentence, entries);
  }
}
