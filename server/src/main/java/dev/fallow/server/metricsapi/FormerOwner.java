package dev.fallow.server.metricsapi;

import dev.fallow.server.Reply;
import java.util.List;
import java.util.Map;

/** Whoever answered for an API before: asked for the names that are not ours alone. */
public interface FormerOwner {

  /**
   * Whoever asked has been found to be allowed to.
   *
   * @throws dev.fallow.core.Unavailable if there is no answer; to be tried again unless we may not
   *     ask, or cannot be answered, at all
   */
  Reply answer(List<String> path, Map<String, String> query);
}
