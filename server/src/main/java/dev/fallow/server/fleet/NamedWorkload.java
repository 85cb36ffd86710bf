package dev.fallow.server.fleet;

import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Request;
import dev.fallow.server.access.Caller;
import dev.fallow.server.access.Door;

/** The workload that a path names by namespace, kind and name. */
public record NamedWorkload(FleetSource source, Door door) {

  /** What stands before the parts of one workload. */
  public static final String PATH = "/api/v1/workloads/{namespace}/{kind}/{name}";

  /**
   * One that the caller may see; what they may not see is not there for them.
   *
   * @throws Rejected if it is not there
   */
  public WorkloadItem seen(Request request) {
    Caller reader = door.reader(request);
    WorkloadItem item = named(request);
    if (!door.sees(reader, item.namespace())) {
      throw missing();
    }
    return item;
  }

  /**
   * One that somebody may change who has been let in. To who may neither see nor change it, it is
   * not there.
   */
  WorkloadItem changeable(Request request, Caller caller) {
    WorkloadItem item = named(request);
    if (door.changes(caller, item.namespace(), item.kind(), item.name())) {
      return item;
    }
    if (!door.sees(caller, item.namespace())) {
      throw missing();
    }
    throw new Rejected(
        new Problem(
            403,
            "FORBIDDEN",
            "%s may not update %s/%s in %s"
                .formatted(caller.name(), item.kind(), item.name(), item.namespace())));
  }

  /** Whoever asks. */
  private WorkloadItem named(Request request) {
    FleetPicture picture = source.picture();
    if (picture.number() == 0) {
      throw new Rejected(
          new Problem(503, "STARTING", "the first look is not over yet; try again in a moment"));
    }
    return picture
        .find(request.parameter("namespace"), request.parameter("kind"), request.parameter("name"))
        .orElseThrow(NamedWorkload::missing);
  }

  private static Rejected missing() {
    return new Rejected(
        new Problem(404, "NOT_FOUND", "no such workload holds a GPU or is paused here"));
  }
}
