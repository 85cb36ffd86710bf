package dev.fallow.core.idle;

/**
 * What a workload did lately, at the two paces at which workloads are judged. A fault that is still
 * young by the usual window may be old by a namespace's shorter one.
 *
 * @param usual by the usual window, so that all workloads' traces speak of the same times
 * @param quick by the shortest window that any workload has, for the same reason
 * @param hurried whether this workload is judged by a shorter window than the usual
 */
public record Course(Trace usual, Trace quick, boolean hurried) {

  /** Of a fleet in which nobody has a window of their own. */
  public static Course of(Trace usual) {
    return new Course(usual, usual, false);
  }
}
