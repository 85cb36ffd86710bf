package dev.fallow.app.notice;

import dev.fallow.adapters.notify.SlackInteraction;
import dev.fallow.adapters.notify.SlackSignature;
import dev.fallow.server.Problem;
import dev.fallow.server.Rejected;
import dev.fallow.server.Reply;
import dev.fallow.server.Request;
import dev.fallow.server.Route;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.function.Predicate;

/**
 * Where Slack sends what people press. Only what Slack has signed is read, and it is answered at
 * once: Slack waits for three seconds.
 */
public final class SlackRoutes {

  private SlackRoutes() {}

  /**
   * @param first takes a request upon this instance, by its code: false if another has done so, or
   *     this one before it was started anew
   */
  public static List<Route> of(
      SlackSignature signature,
      SlackInteraction.Expected expected,
      SlackPresses presses,
      ExecutorService threads,
      Predicate<String> first) {
    return List.of(
        Route.of(
            "POST",
            "/slack/interactions",
            request -> take(request, signature, expected, presses, threads, first)));
  }

  private static Reply take(
      Request request,
      SlackSignature signature,
      SlackInteraction.Expected expected,
      SlackPresses presses,
      ExecutorService threads,
      Predicate<String> first) {
    SlackSignature.Checked checked =
        signature.check(
            request.header("X-Slack-Request-Timestamp").orElse(""),
            request.header("X-Slack-Signature").orElse(""),
            request.body());
    if (!(checked instanceof SlackSignature.Checked.Genuine genuine)) {
      String reason =
          checked instanceof SlackSignature.Checked.Refused refused ? refused.reason().name() : "";
      throw new Rejected(new Problem(401, reason, "this is not a request of Slack's"));
    }
    return switch (SlackInteraction.parse(request.body(), expected)) {
      case SlackInteraction.Parsed.Pressed pressed -> {
        threads.execute(() -> {
          if (first.test(genuine.code())) {
            presses.pressed(pressed.interaction());
          }
        });
        yield Reply.text(200, "");
      }
      case SlackInteraction.Parsed.Problem problem ->
          throw new Rejected(new Problem(400, "BAD_REQUEST", problem.sentence()));
    };
  }
}
