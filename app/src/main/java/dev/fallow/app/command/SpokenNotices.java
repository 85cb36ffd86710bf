package dev.fallow.app.command;

import dev.fallow.app.Console;
import dev.fallow.app.notice.NoticeSigns;
import dev.fallow.core.fleet.ObjectId;
import dev.fallow.core.idle.Durations;
import dev.fallow.core.notice.Address;
import dev.fallow.core.notice.Delivery;
import dev.fallow.core.notice.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Says on the terminal whom a single run has told. */
record SpokenNotices(Console console) implements NoticeSigns {

  static NoticeSigns to(Console console) {
    return new SpokenNotices(console);
  }

  @Override
  public void delivery(List<Address> to, Message message, Delivery delivery) {
    switch (delivery) {
      case Delivery.Confirmed confirmed ->
          console.say("told of " + message.workload() + "; a later run pauses it");
      case Delivery.Refused refused ->
          console.say("could not tell of " + message.workload() + ": " + refused.sentence());
      case Delivery.Failed failed ->
          console.say("could not tell of " + message.workload() + ": " + failed.sentence());
    }
  }

  @Override
  public void nobody(ObjectId workload) {
    console.say("nobody is named who could be told of " + workload + "; see --notify");
  }

  @Override
  public void unreadable(String sentence) {
    console.say("fallow.dev/notify: " + sentence);
  }

  @Override
  public void lostSightOf(ObjectId workload, Instant told, Duration every) {
    console.say(
        ("told of %s at %s, but nobody looked since, so its owner is told anew and it is not"
                + " paused; run at least every %s")
            .formatted(workload, told, Durations.format(every)));
  }
}
