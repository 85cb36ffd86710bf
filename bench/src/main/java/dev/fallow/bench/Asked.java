package dev.fallow.bench;

import dev.fallow.rig.Rig;
import dev.fallow.rig.RigPrometheus;
import java.io.IOException;

/** What Fallow has asked of the API server and of Prometheus so far, as those two count it. */
record Asked(long requests, long queries) {

  /** The audit log is written a moment after the answer, so the count is taken once it rests. */
  static Asked of(Rig rig, RigPrometheus prometheus) throws IOException, InterruptedException {
    Thread.sleep(1_000);
    return new Asked(
        rig.audit().entries(entry -> entry.userAgent().startsWith("fallow/")).size(),
        Queries.of(prometheus).count());
  }

  Asked since(Asked before) {
    return new Asked(requests - before.requests, queries - before.queries);
  }
}
